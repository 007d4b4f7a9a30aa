// Renders the confirmation dialog that is shown before something is removed.
import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { HostOnly, hostOnly } from '../host-only.tsx';
import { useReturnFocus } from '../use-return-focus.ts';
import { t } from '../t.ts';
import '../modal.css';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** Label of the confirm button. */
  readonly action: string;
  readonly onAnswer: (isSure: boolean) => void;
  /** Additional options. */
  readonly children?: ReactNode;
}

export function ConfirmDialog({ title, text, action, onAnswer, children }: ConfirmDialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => isOpen || onAnswer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="modal-veil" />
        <AlertDialog.Content className="modal" onCloseAutoFocus={returnFocus}>
          <AlertDialog.Title className="modal-title">{title}</AlertDialog.Title>
          <AlertDialog.Description className="muted">{text}</AlertDialog.Description>
          <HostOnly>{children}</HostOnly>
          <div className="modal-actions">
            <AlertDialog.Cancel className="button">{t('Keep')}</AlertDialog.Cancel>
            <AlertDialog.Action {...hostOnly} className="button danger" onClick={() => onAnswer(true)}>
              {action}
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
