// Asks before a chat is deleted.
import type { ChatMeta } from 'agent-harness/client';
import { ConfirmDialog } from '../kit/page/confirm-dialog.tsx';

export function DeleteDialog({ chat, onAnswer }: { readonly chat: ChatMeta; readonly onAnswer: (isSure: boolean) => void }) {
  const text = 'It stays in the trash for 30 days. Files in its folder are not touched.';
  return <ConfirmDialog title={`Delete “${chat.title}”?`} text={text} action="Delete" onAnswer={onAnswer} />;
}
