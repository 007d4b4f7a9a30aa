// Loads the pending decisions of all chats, and keeps them current.
import { onStreamOpen, type Client } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { changesPending, nothingPending, type Pending } from './attention.ts';

/** Events within this time share one request. */
const togetherMs = 100;

/** @param may whether this page may read pending decisions */
export function useReadPending(client: Client, may: boolean): Pending {
  const [pending, setPending] = useState(nothingPending);
  useEffect(() => {
    if (!may) return undefined;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    function read(): void {
      timer = undefined;
      // While the server is unreachable, the known decisions stay.
      client.call('GET /api/pending', { query: { chatId: 'all' }, signal: left.signal }).then(setPending, () => undefined);
    }
    function readSoon(): void {
      timer ??= setTimeout(read, togetherMs);
    }
    const leaveEvents = client.on((event) => {
      if (changesPending(event)) readSoon();
    });
    const leaveConnection = onStreamOpen(client.connection, readSoon);
    return () => {
      left.abort();
      clearTimeout(timer);
      leaveEvents();
      leaveConnection();
    };
  }, [client, may]);
  return pending;
}
