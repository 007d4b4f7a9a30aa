// Determines the chat for the current address. Without one: the active chat, the newest, or a new first chat.
import { useEffect, useMemo, useRef } from 'react';
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { redirectTo, useClient, useRoute, useStore } from '../kit/hooks.ts';
import { useShell } from '../kit/shell-context.ts';
import { usePermission, useKnownPermission } from '../points/use-permission.ts';

export interface ShownChat {
  readonly chat: OpenChat | undefined;
  readonly meta: ChatMeta | undefined;
  /** Whether the address names an unknown chat. */
  readonly isMissing: boolean;
  /** Whether no chat exists and this page may not create one. */
  readonly hasNone: boolean;
}

export function useOpenChat(): ShownChat {
  const client = useClient();
  const route = useRoute();
  const { chats, isLoaded, activeChatId } = useStore(client.chats);
  const chatId = route.page === 'chat' ? route.id : undefined;
  const meta = useMemo(() => chats.find((chat) => chat.chatId === chatId), [chats, chatId]);
  const exists = meta !== undefined;
  const chat = useMemo(() => (chatId !== undefined && exists ? client.open(chatId) : undefined), [client, chatId, exists]);

  const fallback = (chats.find((one) => one.chatId === activeChatId) ?? chats.find((one) => !one.archived) ?? chats[0])?.chatId;
  const isUndecided = isLoaded && route.page === 'chat' && chatId === undefined;
  useEffect(() => {
    if (isUndecided && fallback !== undefined) redirectTo({ page: 'chat', id: fallback });
  }, [isUndecided, fallback]);
  const mayBegin = useKnownPermission('chats.manage');
  useFirstChat(mayBegin && isUndecided && fallback === undefined);
  const hasNone = !usePermission('chats.manage') && isUndecided && fallback === undefined;
  return { chat, meta, isMissing: isLoaded && chatId !== undefined && !exists, hasNone };
}

function useFirstChat(isNeeded: boolean): void {
  const client = useClient();
  const { attempt } = useShell();
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isNeeded || isAsked.current) return;
    isAsked.current = true;
    attempt(async () => {
      try {
        // Reserves the id before the chat is created, so that windows that are opened together create the same chat.
        const { chatId } = await client.call('GET /api/workspace/current');
        await client.call('POST /api/chats/:id/activate', { params: { id: chatId } });
        await client.refreshChats();
      } finally {
        isAsked.current = false;
      }
    });
  }, [isNeeded, client, attempt]);
}
