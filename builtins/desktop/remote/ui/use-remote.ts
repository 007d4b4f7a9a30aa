// Loads codes and guests, and reloads them after each change that the server reports.
import type { ReplyOf } from 'agent-harness/client';
import { useEffect } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';

export type RemoteView = ReplyOf<'GET /api/remote'>;
export type Code = RemoteView['codes'][number];
export type Guest = RemoteView['guests'][number];

const settleMs = 30;

export function useRemote(): Loaded<RemoteView> {
  const client = useClient();
  const loaded = useLoaded('remote', (signal) => client.call('GET /api/remote', { signal }));
  const { reload } = loaded;
  useEvents(({ kind }) => kind === 'remote_session', settleMs, reload);
  useEffect(() => {
    let { stream } = client.connection.get();
    return client.connection.subscribe(() => {
      const before = stream;
      stream = client.connection.get().stream;
      if (stream === 'open' && before !== 'open') reload();
    });
  }, [client, reload]);
  return loaded;
}
