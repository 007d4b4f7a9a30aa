// Which chat a page beside the chats speaks of: the one that was looked at last.
import type { ChatMeta } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useStore } from '../hooks.ts';

export interface PageChat {
  /** The server's active chat is meant where it is not known. */
  readonly chatId: string | undefined;
  readonly meta: ChatMeta | undefined;
}

/** Stays the same as long as the page is shown: another client may activate another chat meanwhile. */
export function usePageChat(): PageChat {
  const { chats, activeChatId } = useStore(useClient().chats);
  const [chatId, setChatId] = useState(activeChatId);
  if (chatId === undefined && activeChatId !== undefined) setChatId(activeChatId);
  return { chatId, meta: chats.find((chat) => chat.chatId === chatId) };
}
