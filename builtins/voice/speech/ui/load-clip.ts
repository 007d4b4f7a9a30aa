// The bytes of a clip, through a network that breaks: it is asked for again until it is there, or until nobody wants to hear it.
import { CallError, type Client } from 'agent-harness/client';
import { backoffMs } from 'agent-harness/lib/async';

export interface LoadOptions {
  /** Aborted when nobody wants to hear it any more. */
  readonly signal: AbortSignal;
  /** It is not there yet, and is asked for again. */
  readonly onDelay?: () => void;
  /** Milliseconds; only tests wait for less. */
  readonly waits?: { readonly first: number; readonly longest: number };
}

/** Where the server can be reached and the bytes break off all the same, the clip itself is what is wrong. */
const mostBreaks = 5;
const usualWaits = { first: 250, longest: 4_000 };

/** Rejects with what the server says of it, and with the reason of the signal. */
export async function loadClip(client: Pick<Client, 'bytes' | 'on' | 'connection'>, url: string, options: LoadOptions): Promise<Blob> {
  const { signal, onDelay, waits = usualWaits } = options;
  for (let tries = 0, breaks = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await client.bytes(url);
    } catch (fault) {
      signal.throwIfAborted();
      if (!(fault instanceof CallError) || fault.code !== 'network') throw fault;
      const isReachable = client.connection.get().stream === 'open';
      if (isReachable && ++breaks >= mostBreaks) throw fault;
    }
    onDelay?.();
    await untilNextTry(client, backoffMs(tries, waits), signal);
  }
}

/** At once when the server is back. */
function untilNextTry(client: Pick<Client, 'on'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const leave = client.on(({ kind }) => kind === 'connected' && go());
    const timer = setTimeout(go, ms);
    signal.addEventListener('abort', go, { once: true });
    function go(): void {
      leave();
      clearTimeout(timer);
      signal.removeEventListener('abort', go);
      resolve();
    }
  });
}
