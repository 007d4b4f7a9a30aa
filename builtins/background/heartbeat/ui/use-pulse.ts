// What the heartbeat does in a chat, read again whenever it says something.
import { useEffect } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';
import type { PulseView } from './pulse-words.ts';

const settleMs = 50;

export function usePulse(chatId: string): Loaded<PulseView> {
  const client = useClient();
  const loaded = useLoaded(chatId, (signal) => client.call('GET /api/heartbeat', { query: { chatId }, signal }));
  const { reload } = loaded;
  // What it cost and whether it is muted holds for all chats.
  useEvents(({ kind }) => kind.startsWith('heartbeat_') || kind === 'config_changed', settleMs, reload);
  useEffect(() => {
    let stream = client.connection.get().stream;
    return client.connection.subscribe(() => {
      const before = stream;
      stream = client.connection.get().stream;
      if (stream === 'open' && before !== 'open') reload();
    });
  }, [client, reload]);
  return loaded;
}
