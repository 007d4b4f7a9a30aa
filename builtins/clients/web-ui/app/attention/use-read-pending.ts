// Reads what waits for a person in any chat, and keeps it fresh.
import type { Client } from 'agent-harness/client';
import { useEffect, useState } from 'react';
import { changesPending, nothingPending, type Pending } from './attention.ts';

/** Events of one moment are one question to the server. */
const togetherMs = 100;

/** @param may this page may read it */
export function useReadPending(client: Client, may: boolean): Pending {
  const [pending, setPending] = useState(nothingPending);
  useEffect(() => {
    if (!may) return undefined;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream = client.connection.get().stream;

    function read(): void {
      timer = undefined;
      // Unreachable: what was known stays until the connection is back.
      client.call('GET /api/pending', { query: { chatId: 'all' }, signal: left.signal }).then(setPending, () => undefined);
    }
    function readSoon(): void {
      timer ??= setTimeout(read, togetherMs);
    }
    const leaveEvents = client.on((event) => {
      if (changesPending(event)) readSoon();
    });
    const leaveConnection = client.connection.subscribe(() => {
      const now = client.connection.get().stream;
      if (now === 'open' && stream !== 'open') readSoon();
      stream = now;
    });
    readSoon();
    return () => {
      left.abort();
      clearTimeout(timer);
      leaveEvents();
      leaveConnection();
    };
  }, [client, may]);
  return pending;
}
