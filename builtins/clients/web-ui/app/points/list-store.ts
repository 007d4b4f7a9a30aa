// Caches a list of plugin registrations per client, and reloads it after a plugin changed or the server came back.
import type { Client, Store } from 'agent-harness/client';

export interface ListState<T> {
  /** False until the list was first loaded. */
  readonly isLoaded: boolean;
  readonly rows: readonly T[];
}

export interface ListStore<T> extends Store<ListState<T>> {
  /** Reloads the list. */
  refresh(): Promise<void>;
}

/** @param ask loads the list; rejects if the server is unreachable or refuses the request */
export function createListStore<T>(client: Client, ask: () => Promise<readonly T[]>): ListStore<T> {
  const listeners = new Set<() => void>();
  let state: ListState<T> = { isLoaded: false, rows: [] };
  let hasBegun = false;
  let isStale = false;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    do {
      isStale = false;
      // If the server is unreachable or refuses the request, the known list is kept until the stream is back.
      const found = await ask().catch(() => undefined);
      if (found) replace(found);
    } while (isStale);
  }

  /** Unchanged items keep their object identity, so that their components are not remounted. */
  function replace(found: readonly T[]): void {
    const known = new Map(state.rows.map((row) => [JSON.stringify(row), row]));
    const rows = found.map((row) => known.get(JSON.stringify(row)) ?? row);
    const isSame = state.isLoaded && rows.length === state.rows.length && rows.every((row, at) => row === state.rows[at]);
    if (isSame) return;
    state = { isLoaded: true, rows };
    for (const listener of listeners) listener();
  }

  function refresh(): Promise<void> {
    isStale = true;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function begin(): void {
    hasBegun = true;
    let stream = client.connection.get().stream;
    client.connection.subscribe(() => {
      const before = stream;
      stream = client.connection.get().stream;
      if (stream === 'open' && before !== 'open') void refresh();
    });
    client.on(({ kind }) => {
      if (kind === 'config_changed') void refresh();
    });
    void refresh();
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      if (!hasBegun) begin();
      return () => void listeners.delete(listener);
    },
    refresh,
  };
}
