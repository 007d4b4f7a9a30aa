// The buttons of an approval, and whether it shall be asked again.
import { useId, type MouseEvent } from 'react';

interface ChoicesProps {
  readonly isBusy: boolean;
  readonly onApprove: () => void;
  readonly onMode: (mode: 'edit' | 'reject') => void;
}

export function Choices({ isBusy, onApprove, onMode }: ChoicesProps) {
  /** The second click of a double click would hit the card that moved up. */
  const once = (act: () => void) => (event: MouseEvent) => {
    if (event.detail <= 1 && !isBusy) act();
  };
  return (
    <>
      <button type="button" className="button primary" aria-disabled={isBusy} aria-keyshortcuts="Alt+A" onClick={once(onApprove)}>
        Approve <KeyHint letter="A" />
      </button>
      <button type="button" className="button" aria-disabled={isBusy} aria-keyshortcuts="Alt+E" onClick={once(() => onMode('edit'))}>
        Edit <KeyHint letter="E" />
      </button>
      <button type="button" className="button danger" aria-disabled={isBusy} aria-keyshortcuts="Alt+R" onClick={once(() => onMode('reject'))}>
        Reject <KeyHint letter="R" />
      </button>
    </>
  );
}

function KeyHint({ letter }: { readonly letter: string }) {
  return (
    <kbd className="approval-key" aria-hidden>
      Alt+{letter}
    </kbd>
  );
}

interface RememberProps {
  /** What the server would keep, as a sentence; where it keeps nothing there is nothing to choose. */
  readonly remembers: string | undefined;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Remember({ remembers: meaning, isChecked, onChange }: RememberProps) {
  const id = useId();
  if (meaning === undefined) return null;
  return (
    <>
      <label className="approval-remember" title={meaning}>
        <input type="checkbox" checked={isChecked} aria-describedby={id} onChange={(event) => onChange(event.target.checked)} />
        Remember for this chat
      </label>
      <span id={id} hidden>
        {meaning}
      </span>
    </>
  );
}
