// Renders the buttons of an approval: allow once, allow permanently, or deny.
import type { MouseEvent } from 'react';
import { AlwaysMenu } from './always-menu.tsx';
import { t } from '../../kit/t.ts';

interface ChoicesProps {
  readonly isBusy: boolean;
  /** Whether the approval changed very recently; a press may be meant for its previous state. */
  readonly isSettling: boolean;
  /** Whether the field contains no command. */
  readonly isEmpty: boolean;
  /** Subject and effect of a rule; `undefined` if no rule is possible. */
  readonly rule: { readonly subject: string; readonly meaning: string; readonly kind: string | undefined } | undefined;
  /** Omitted if all arguments can be edited in place. */
  readonly onEdit: (() => void) | undefined;
  readonly onApprove: (scope: 'once' | 'chat' | 'workspace', kind?: string) => void;
  /** Omitted if the command already has network access. */
  readonly onNetwork: (() => void) | undefined;
  readonly onDeny: () => void;
}

export function Choices({ isBusy, isSettling, isEmpty, rule, onEdit, onApprove, onNetwork, onDeny }: ChoicesProps) {
  /** Ignores the second click of a double-click, which would hit the card that moved up. */
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
        {t('Approve')} <KeyHint letter="A" />
      </button>
      {onNetwork && (
        <button type="button" className="button" aria-disabled={isBusy || isSettling || isEmpty} onClick={once(() => isSettling || isEmpty || onNetwork())}>
          {t('Allow with network')}
        </button>
      )}
      <button type="button" className="button" aria-disabled={isBusy} aria-keyshortcuts="Alt+R" onClick={once(onDeny)}>
        {t('Deny')} <KeyHint letter="R" />
      </button>
      {onEdit && (
        <button type="button" className="button" aria-disabled={isBusy} aria-keyshortcuts="Alt+E" onClick={once(onEdit)}>
          {t('Edit')} <KeyHint letter="E" />
        </button>
      )}
      {rule && <AlwaysMenu {...rule} isBusy={isBusy || isEmpty} isSettling={isSettling} onChoose={onApprove} />}
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
