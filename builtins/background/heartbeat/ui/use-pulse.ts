// Loads the heartbeat's state for a chat, and reloads it after each heartbeat event.
import { useEffect } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';
import type { PulseView } from './pulse-texts.ts';

const settleMs = 50;

export function usePulse(chatId: string): Loaded<PulseView> {
  const client = useClient();
  const loaded = useLoaded(chatId, (signal) => client.call('GET /api/heartbeat', { query: { chatId }, signal }));
  const { reload } = loaded;
  // Events of all chats are relevant, because cost and mute state apply to all chats.
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
