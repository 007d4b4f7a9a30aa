// Asks before a chat is deleted.
import { AlertDialog } from 'radix-ui';
import type { ChatMeta } from 'agent-harness/client';
import { useReturnFocus } from '../kit/use-return-focus.ts';
import '../kit/modal.css';

export function DeleteDialog({ chat, onAnswer }: { readonly chat: ChatMeta; readonly onAnswer: (isSure: boolean) => void }) {
  const returnFocus = useReturnFocus();
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => isOpen || onAnswer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="modal-veil" />
        <AlertDialog.Content className="modal" onCloseAutoFocus={returnFocus}>
          <AlertDialog.Title className="modal-title">Delete “{chat.title}”?</AlertDialog.Title>
          <AlertDialog.Description className="muted">It stays in the trash for 30 days. Files in its folder are not touched.</AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel className="button">Keep</AlertDialog.Cancel>
            <AlertDialog.Action className="button danger" onClick={() => onAnswer(true)}>
              Delete
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
