// Loads a clip over an unreliable network: retries until its bytes arrive or are no longer needed.
import { CallError, type Client } from 'agent-harness/client';
import { backoffMs } from '#lib/async';

export interface LoadOptions {
  /** Aborted when the clip is no longer needed. */
  readonly signal: AbortSignal;
  /** Called when the clip is not available yet and is requested again. */
  readonly onDelay?: () => void;
  /** Delays in milliseconds; shorter in tests only. */
  readonly waits?: { readonly first: number; readonly longest: number };
}

/** Number of interrupted transfers from a reachable server after which the clip counts as faulty. */
const mostBreaks = 5;
const usualWaits = { first: 250, longest: 4_000 };

/** Loads a clip. Rejects with the server's error, and with the signal's reason. */
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

/** Waits until the retry delay has passed or the server is reachable again. */
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
