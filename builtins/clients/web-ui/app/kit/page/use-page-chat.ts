// Provides the chat to which a page outside the chats refers: the last viewed one.
import type { ChatMeta } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useStore } from '../hooks.ts';

export interface PageChat {
  /** `undefined` if it is unknown; the server then uses its active chat. */
  readonly chatId: string | undefined;
  readonly meta: ChatMeta | undefined;
}

/** Returns the chat of the page. It stays constant while the page is shown, because another client may activate another chat. */
export function usePageChat(): PageChat {
  const { chats, activeChatId } = useStore(useClient().chats);
  const [chatId, setChatId] = useState(activeChatId);
  if (chatId === undefined && activeChatId !== undefined) setChatId(activeChatId);
  return { chatId, meta: chats.find((chat) => chat.chatId === chatId) };
}
