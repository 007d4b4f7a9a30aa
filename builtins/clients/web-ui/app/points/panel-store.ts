// The panels that plugins registered: read once for each client, and again when a plugin changed or the server came back.
import type { Client, ReplyOf, Store } from 'agent-harness/client';

export type Panel = ReplyOf<'GET /api/ui/panels'>['panels'][number];

export interface PanelsState {
  /** False until the list was read once. */
  readonly isLoaded: boolean;
  readonly panels: readonly Panel[];
}

export interface PanelStore extends Store<PanelsState> {
  /** Asks the server again. */
  refresh(): Promise<void>;
}

/** Kept at the client itself, so that it lives exactly as long. */
const held = Symbol('panels');

export function panelStoreOf(client: Client): PanelStore {
  const holder = client as { [held]?: PanelStore };
  return (holder[held] ??= createPanelStore(client));
}

function createPanelStore(client: Client): PanelStore {
  const listeners = new Set<() => void>();
  let state: PanelsState = { isLoaded: false, panels: [] };
  let hasBegun = false;
  let isStale = false;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    do {
      isStale = false;
      // Where the server is away or refuses, what was there stays until the stream is back.
      const found = await client.call('GET /api/ui/panels').catch(() => undefined);
      if (found) replace(found.panels);
    } while (isStale);
  }

  /** What did not change keeps its identity, so that it is not mounted anew. */
  function replace(found: readonly Panel[]): void {
    const known = new Map(state.panels.map((panel) => [JSON.stringify(panel), panel]));
    const panels = found.map((panel) => known.get(JSON.stringify(panel)) ?? panel);
    const isSame = state.isLoaded && panels.length === state.panels.length && panels.every((panel, at) => panel === state.panels[at]);
    if (isSame) return;
    state = { isLoaded: true, panels };
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
      if (kind === 'plugin_changed') void refresh();
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
