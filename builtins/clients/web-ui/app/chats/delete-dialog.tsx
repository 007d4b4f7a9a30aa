// Renders the confirmation dialog for deleting a chat.
import type { ChatMeta } from 'agent-harness/client';
import { ConfirmDialog } from '../kit/page/confirm-dialog.tsx';
import { t } from '../kit/t.ts';

export function DeleteDialog({ chat, onAnswer }: { readonly chat: ChatMeta; readonly onAnswer: (isSure: boolean) => void }) {
  const text = chat.temporary
    ? t('A temporary chat cannot be restored. Files in its folder are not touched.')
    : t('It stays in the trash for 30 days. Files in its folder are not touched.');
  return <ConfirmDialog title={t('Delete “{title}”?', { title: chat.title })} text={text} action={t('Delete')} onAnswer={onAnswer} />;
}
