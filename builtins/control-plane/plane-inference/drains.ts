// Keeps reading responses whose caller has disconnected for a while, so that their cost is known, but never too many at once.
import type { ServerResponse } from 'node:http';

export interface Drain {
  /** Aborted when the provider is to be disconnected. */
  readonly signal: AbortSignal;
  /** The caller disconnected. */
  hasLeft(): boolean;
  /** The response is complete. */
  dispose(): void;
}

export interface Drains {
  watch(client: ServerResponse): Drain;
  /** How many are being drained now. */
  open(): number;
  /** Disconnects all of them, including those with a caller. */
  dispose(): void;
}

/** @param settings read at each use */
export function createDrains(settings: { readonly drainMs: number }, most: number): Drains {
  const ends = new Set<() => void>();
  let open = 0;

  return {
    watch(client) {
      const stop = new AbortController();
      const end = (): void => stop.abort();
      let left = false;
      let timer: NodeJS.Timeout | undefined;
      const leave = (): void => {
        if (client.writableFinished) return;
        left = true;
        if (open >= most || settings.drainMs === 0) return end();
        open++;
        timer = setTimeout(end, settings.drainMs).unref();
      };
      ends.add(end);
      client.once('close', leave);
      if (client.destroyed) leave();
      return {
        signal: stop.signal,
        hasLeft: () => left,
        dispose() {
          client.off('close', leave);
          ends.delete(end);
          if (timer) open--;
          clearTimeout(timer);
          timer = undefined;
        },
      };
    },
    open: () => open,
    dispose() {
      for (const end of ends) end();
    },
  };
}
