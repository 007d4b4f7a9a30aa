// Caches a list of plugin registrations per client; reloaded when a plugin changes or the server responds again.
import { onStreamOpen, type Client, type Store } from 'agent-harness/client';

export interface ListState<T> {
  /** False until the list has been loaded once. */
  readonly isLoaded: boolean;
  readonly rows: readonly T[];
}

export interface ListStore<T> extends Store<ListState<T>> {
  refresh(): Promise<void>;
}

/**
 * @param ask loads the list; rejects if the server is unreachable or refuses
 * @param changesOn kinds of the events after which the list is reloaded
 */
export function createListStore<T>(client: Client, ask: () => Promise<readonly T[]>, changesOn: readonly string[] = ['config_changed']): ListStore<T> {
  const listeners = new Set<() => void>();
  let state: ListState<T> = { isLoaded: false, rows: [] };
  let hasBegun = false;
  let isStale = false;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    do {
      isStale = false;
      // If the server is unreachable or refuses the request, the known list remains until the stream reopens.
      const found = await ask().catch(() => undefined);
      if (found) replace(found);
    } while (isStale);
  }

  /** Unchanged items keep their object identity, which prevents a remount of their components. */
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
    client.on(({ kind }) => {
      if (changesOn.includes(kind)) void refresh();
    });
    onStreamOpen(client.connection, () => void refresh());
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
