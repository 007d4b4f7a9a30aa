// Tracks the turns that ended while the page was hidden.
import { handle, type Client } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { noticeIn, type Notice } from './attention.ts';

const none: readonly Notice[] = [];

export function useEnded(client: Client, isHidden: boolean): readonly Notice[] {
  const [ended, setEnded] = useState(none);
  useEffect(() => {
    if (!isHidden) return;
    const leave = client.on((event) => {
      const notice = handle(event, { turn_end: () => noticeIn(event, client.chats.get().chats) });
      if (notice) setEnded((now) => [...now, notice].slice(-1));
    });
    return () => {
      leave();
      setEnded(none);
    };
  }, [client, isHidden]);
  return ended;
}
