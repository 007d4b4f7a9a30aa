// Loads codes and guests, and reloads them after each change that the server reports.
import { onStreamOpen, type ReplyOf } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded, type Loaded } from '#page/kit/page/use-loaded.ts';

export type RemoteView = ReplyOf<'GET /api/remote'>;
export type Code = RemoteView['codes'][number];
export type Guest = RemoteView['guests'][number];

const settleMs = 30;

export function useRemote(): Loaded<RemoteView> {
  const client = useClient();
  const [openings, setOpenings] = useState(0);
  useEffect(() => onStreamOpen(client.connection, () => setOpenings((count) => count + 1)), [client]);
  const loaded = useLoaded(openings === 0 ? undefined : `remote ${openings}`, (signal) => client.call('GET /api/remote', { signal }));
  useEvents(({ kind }) => kind === 'remote_session', settleMs, loaded.reload);
  return loaded;
}
