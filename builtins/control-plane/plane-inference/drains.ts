// Keeps reading a limited number of responses after their callers have disconnected, to measure their cost.
import type { ServerResponse } from 'node:http';

export interface Drain {
  /** Aborted to disconnect the provider. */
  readonly signal: AbortSignal;
  /** Returns whether the caller disconnected. */
  hasLeft(): boolean;
  /** Ends the watch after a complete response. */
  dispose(): void;
}

export interface Drains {
  /** Watches the connection to a caller until the result is disposed. */
  watch(client: ServerResponse): Drain;
  /** Number of drained responses. */
  open(): number;
  /** Disconnects all responses, including those whose caller is still connected. */
  dispose(): void;
}

/** @param settings read on every use @param most maximum number of drained responses */
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
