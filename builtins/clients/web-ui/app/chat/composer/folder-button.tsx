// Shows the folder of a chat without messages, and opens the dialog that starts a chat in another folder.
import type { OpenChat } from 'agent-harness/client';
import { Folder } from 'lucide-react';
import { useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useShell } from '../../kit/shell-context.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { folderName } from '../../kit/short-texts.ts';
import { t } from '../../kit/t.ts';

export function FolderButton({ chat }: { readonly chat: OpenChat }) {
  const { openDialog } = useShell();
  const folder = useSelected(useClient().chats, ({ chats }) => chats.find((one) => one.chatId === chat.chatId)?.workspaceRoot);
  const isEmpty = useSelected(chat.state, ({ entries, running }) => entries.length === 0 && !running);
  if (!isEmpty || folder === undefined) return null;
  const name = folderName(folder);
  return (
    <button
      type="button"
      {...hostOnly}
      className="button bare small composer-mode composer-folder"
      aria-label={t('Folder: {name}', { name })}
      title={folder}
      onClick={() => openDialog('new-chat')}
    >
      <Folder size={15} aria-hidden /> <span className="composer-model-name">{name}</span>
    </button>
  );
}
