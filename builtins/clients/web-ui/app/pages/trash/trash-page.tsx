// Renders the page of deleted chats, on which a chat can be restored or permanently deleted.
import type { ReplyOf } from 'agent-harness/client';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { goTo, useClient } from '../../kit/hooks.ts';
import { useShell } from '../../kit/shell-context.ts';
import { shortPath } from '../../kit/short-texts.ts';
import { ConfirmDialog } from '../../kit/page/confirm-dialog.tsx';
import { formatTime } from '../../kit/page/format.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t, tn, tx } from '../../kit/t.ts';
import '../../kit/page/file-list.css';

type TrashedChat = ReplyOf<'GET /api/chats/trash'>['chats'][number];

const listed = new Set(['deleted', 'restored', 'erased']);

export function TrashPage() {
  const client = useClient();
  const { attempt, tell } = useShell();
  const loaded = useLoaded('trash', (signal) => client.call('GET /api/chats/trash', { signal }));
  const [condemned, condemn] = useState<TrashedChat>();
  useEvents((event) => event.kind === 'chat_updated' && listed.has(String(event['change'])), 150, loaded.reload);

  function restore({ chatId, title }: TrashedChat): void {
    attempt(async () => {
      await client.call('POST /api/chats/trash/:id/restore', { params: { id: chatId }, body: {} });
      await client.refreshChats();
      goTo({ page: 'chat', id: chatId });
      tell(t('“{title}” was restored.', { title }));
    });
  }

  function erase({ chatId, title }: TrashedChat): void {
    attempt(async () => {
      await client.call('DELETE /api/chats/trash/:id', { params: { id: chatId } });
      loaded.reload();
      tell(t('“{title}” was erased.', { title }));
    });
  }

  return (
    <PageFrame title={t('Trash')} intro={t('Deleted chats stay here for 30 days. Files in their folders were not touched.')} isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what={t('trash')}>
        {({ chats }) =>
          chats.length === 0 ? (
            <p className="page-empty">{tx('{strong} You can restore deleted chats here.', { strong: <strong>{t('The trash is empty.')}</strong> })}</p>
          ) : (
            <ul className="page-card file-list" aria-label={t('Deleted chats')}>
              {chats.map((chat) => (
                <li key={chat.chatId} className="file-list-row">
                  <div className="file-list-words">
                    <h2 className="file-list-name">{chat.title}</h2>
                    <p className="muted small">
                      {t('{turns} · {workspaceRoot} · deleted {deletedAt} · {days} left', {
                        turns: tn(chat.turns, '{count} turn', '{count} turns'),
                        workspaceRoot: shortPath(chat.workspaceRoot),
                        deletedAt: formatTime(chat.deletedAt),
                        days: tn(chat.daysLeft, '{count} day', '{count} days'),
                      })}
                    </p>
                  </div>
                  <button type="button" className="button" onClick={() => restore(chat)}>
                    <RotateCcw size={15} aria-hidden /> {t('Restore')}
                    <span className="visually-hidden"> {chat.title}</span>
                  </button>
                  <button type="button" className="button danger" onClick={() => condemn(chat)}>
                    <Trash2 size={15} aria-hidden /> {t('Erase')}
                    <span className="visually-hidden"> {chat.title}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {condemned && (
        <ConfirmDialog
          title={t('Erase “{title}” permanently?', { title: condemned.title })}
          text={t('Its messages, attachments and notes are deleted. This cannot be undone.')}
          action={t('Erase')}
          onAnswer={(isSure) => {
            condemn(undefined);
            if (isSure) erase(condemned);
          }}
        />
      )}
    </PageFrame>
  );
}
