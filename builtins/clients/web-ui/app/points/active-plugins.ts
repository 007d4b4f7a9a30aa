// Which plugins of the server do their work: as the configuration says, and as events say since.
import type { Client, Config, Store } from 'agent-harness/client';
import { keptAt } from '../kit/kept-at.ts';

/** Their names; until the server said so only those by which a visitor signs in. */
export const activePluginsOf = keptAt('active plugins', createActivePlugins);

function createActivePlugins(client: Client): Store<ReadonlySet<string>> {
  const listeners = new Set<() => void>();
  let config = client.connection.get().config;
  let active = config ? activeOf(config) : servedWith();
  let hasBegun = false;

  function set(next: ReadonlySet<string>): void {
    active = next;
    for (const listener of listeners) listener();
  }

  function begin(): void {
    hasBegun = true;
    let { stream } = client.connection.get();
    client.connection.subscribe(() => {
      const now = client.connection.get();
      if (now.config !== config) {
        config = now.config;
        set(activeOf(config));
      }
      // Another server may answer after an interruption.
      if (now.stream === 'open' && stream === 'lost') {
        client.call('GET /api/config').then(
          (read) => set(activeOf(read)),
          () => undefined, // what was known stays until the stream is back
        );
      }
      stream = now.stream;
    });
    client.on(({ kind, name, state }) => {
      if (kind !== 'plugin_changed' || typeof name !== 'string') return;
      const next = new Set(active);
      if (state === 'active') next.add(name);
      else next.delete(name);
      set(next);
    });
  }

  return {
    get: () => active,
    subscribe(listener) {
      listeners.add(listener);
      if (!hasBegun) begin();
      return () => void listeners.delete(listener);
    },
  };
}

/** Who lets visitors in, as it stands in a page that was served without a token: nothing else may be read by then. */
function servedWith(): ReadonlySet<string> {
  return new Set(document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content.split(' '));
}

function activeOf(config: Config | undefined): ReadonlySet<string> {
  return new Set((config?.plugins ?? []).filter(({ state }) => state === 'active').map(({ name }) => name));
}
