// Provides the chat that a page outside of the chats refers to: the last one viewed.
import type { ChatMeta } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useStore } from '../hooks.ts';

export interface PageChat {
  /** The server's active chat is used if unknown. */
  readonly chatId: string | undefined;
  readonly meta: ChatMeta | undefined;
}

/** Returns the chat of the page, constant while the page is shown: another client may activate another chat meanwhile. */
export function usePageChat(): PageChat {
  const { chats, activeChatId } = useStore(useClient().chats);
  const [chatId, setChatId] = useState(activeChatId);
  if (chatId === undefined && activeChatId !== undefined) setChatId(activeChatId);
  return { chatId, meta: chats.find((chat) => chat.chatId === chatId) };
}
