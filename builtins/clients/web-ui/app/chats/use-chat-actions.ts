// Provides the actions on a whole chat.
import type { ChatMeta, RequestBody } from 'agent-harness/client';
import { isDraft } from 'agent-harness/transcript';
import { useMemo } from 'react';
import { goTo, readRoute, redirectTo, useClient } from '../kit/hooks.ts';
import { useShell } from '../kit/shell-context.ts';
import type { ChatAction } from '../points/contribution.ts';
import { t, tn } from '../kit/t.ts';

export type ChatChange = RequestBody<'PATCH /api/chats/:id'>;
export type NewChat = Omit<RequestBody<'POST /api/chats'>, 'activate'>;

export interface ChatActions {
  /** Opens a new chat; without options, reuses an existing empty one. Rejects if the folder is not usable. */
  create(wish?: NewChat): Promise<ChatMeta>;
  change(chat: Pick<ChatMeta, 'chatId'>, change: ChatChange): void;
  /** Changes the chats one by one, then calls `done`. Stops at the first failure; earlier changes stay. */
  changeAll(chats: readonly ChatMeta[], changeOf: (chat: ChatMeta) => ChatChange, done: () => void): void;
  fork(chat: ChatMeta): void;
  remove(chat: ChatMeta): void;
  removeAll(chats: readonly ChatMeta[], done: () => void): void;
  /** Runs the action of a plugin and shows its result. */
  run(action: ChatAction, chatId: string): void;
}

export function useChatActions(): ChatActions {
  const client = useClient();
  const { attempt, tell } = useShell();
  return useMemo(
    () => ({
      async create(wish) {
        const empty = wish === undefined ? emptyChat(client.chats.get().chats, localStorage.getItem(usualRootKey)) : undefined;
        if (empty) {
          goTo({ page: 'chat', id: empty.chatId });
          return empty;
        }
        const chat = await client.call('POST /api/chats', { body: { ...wish, activate: true } });
        if (wish === undefined) localStorage.setItem(usualRootKey, chat.workspaceRoot ?? '');
        await client.refreshChats();
        goTo({ page: 'chat', id: chat.chatId });
        return chat;
      },
      change(chat, change) {
        attempt(async () => {
          await client.call('PATCH /api/chats/:id', { params: { id: chat.chatId }, body: change });
          await client.refreshChats();
        });
      },
      changeAll(chats, changeOf, done) {
        attempt(async () => {
          try {
            for (const chat of chats) await client.call('PATCH /api/chats/:id', { params: { id: chat.chatId }, body: changeOf(chat) });
            done();
          } finally {
            await client.refreshChats();
          }
        });
      },
      fork(chat) {
        attempt(async () => {
          const copy = await client.call('POST /api/chats/:id/fork', { params: { id: chat.chatId }, body: {} });
          await client.refreshChats();
          goTo({ page: 'chat', id: copy.chatId });
          tell(t('This is a copy of “{title}”.', { title: chat.title }));
        });
      },
      remove(chat) {
        attempt(async () => {
          const { newActiveId } = await client.call('DELETE /api/chats/:id', { params: { id: chat.chatId } });
          await client.refreshChats();
          if (readRoute(location.hash).id === chat.chatId) redirectTo({ page: 'chat', ...(newActiveId === null ? {} : { id: newActiveId }) });
          tell(
            chat.temporary
              ? t('“{title}” was deleted.', { title: chat.title })
              : t('“{title}” was deleted. It stays in the trash for 30 days.', { title: chat.title }),
          );
        });
      },
      removeAll(chats, done) {
        attempt(async () => {
          let newActiveId: string | null = null;
          try {
            for (const { chatId } of chats) ({ newActiveId } = await client.call('DELETE /api/chats/:id', { params: { id: chatId } }));
            done();
            tell(
              tn(
                chats.length,
                '{count} chat was deleted. You can restore it from the trash.',
                '{count} chats were deleted. You can restore them from the trash.',
              ),
            );
          } finally {
            await client.refreshChats();
            const { id } = readRoute(location.hash);
            const isGone = chats.some(({ chatId }) => chatId === id) && !client.chats.get().chats.some(({ chatId }) => chatId === id);
            if (isGone) redirectTo({ page: 'chat', ...(newActiveId === null ? {} : { id: newActiveId }) });
          }
        });
      },
      run(action, chatId) {
        attempt(async () => {
          const { text, isBad = false } = await action.run(client, chatId);
          tell(text, isBad ? 'bad' : 'plain');
        });
      },
    }),
    [client, attempt, tell],
  );
}

/** Storage key of the default folder for new chats, as last reported to this browser. */
const usualRootKey = 'usual-root';

/** Returns an empty chat in the default folder. */
export function emptyChat(chats: readonly ChatMeta[], usualRoot: string | null): ChatMeta | undefined {
  return chats.find((chat) => isDraft(chat) && !chat.archived && chat.workspaceMode === 'folder' && chat.workspaceRoot === usualRoot);
}
