// The buttons of an approval: once, from now on, or not.
import type { MouseEvent } from 'react';
import { AlwaysMenu } from './always-menu.tsx';
import { t } from '../../kit/t.ts';

interface ChoicesProps {
  readonly isBusy: boolean;
  /** What they are about changed a moment ago: a press now may be meant for what was there. */
  readonly isSettling: boolean;
  /** What is in the field is no command. */
  readonly isEmpty: boolean;
  /** What a rule would be about and what it keeps; where nothing is kept there is nothing to choose. */
  readonly rule: { readonly subject: string; readonly meaning: string; readonly kind: string | undefined } | undefined;
  /** Left out where everything can be changed on the spot. */
  readonly onEdit: (() => void) | undefined;
  readonly onApprove: (scope: 'once' | 'chat' | 'workspace', kind?: string) => void;
  /** Left out where it has network already. */
  readonly onNetwork: (() => void) | undefined;
  readonly onDeny: () => void;
}

export function Choices({ isBusy, isSettling, isEmpty, rule, onEdit, onApprove, onNetwork, onDeny }: ChoicesProps) {
  /** The second click of a double click would hit the card that moved up. */
  const once = (act: () => void) => (event: MouseEvent) => {
    if (event.detail <= 1 && !isBusy) act();
  };
  return (
    <>
      <button
        type="button"
        className="button primary"
        aria-disabled={isBusy || isSettling || isEmpty}
        aria-keyshortcuts="Alt+A"
        onClick={once(() => isEmpty || onApprove('once'))}
      >
        {t('Allow once')} <KeyHint letter="A" />
      </button>
      {onNetwork && (
        <button type="button" className="button" aria-disabled={isBusy || isSettling || isEmpty} onClick={once(() => isSettling || isEmpty || onNetwork())}>
          {t('Allow with network')}
        </button>
      )}
      {rule && <AlwaysMenu {...rule} isBusy={isBusy || isEmpty} isSettling={isSettling} onChoose={onApprove} />}
      <button type="button" className="button danger" aria-disabled={isBusy} aria-keyshortcuts="Alt+R" onClick={once(onDeny)}>
        {t('Deny')} <KeyHint letter="R" />
      </button>
      {onEdit && (
        <button type="button" className="button bare approval-edit" aria-disabled={isBusy} aria-keyshortcuts="Alt+E" onClick={once(onEdit)}>
          {t('Edit')} <KeyHint letter="E" />
        </button>
      )}
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
