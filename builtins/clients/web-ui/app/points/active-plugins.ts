// What the server said of itself and of who asks: which plugins do their work, as events say since, and what this page may.
import type { Client, Config, Store } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';

/** Their names; until the server said so only those by which a visitor signs in. */
export const activePluginsOf = perObject('active plugins', createActivePlugins);

type Rights = Config['rights'];

/** What this page may; `undefined` until the server said so. */
export const rightsOf = perObject('rights', (client: Client): Store<Rights | undefined> => {
  const active = activePluginsOf(client);
  return { subscribe: active.subscribe, get: () => active.rights() };
});

function createActivePlugins(client: Client): Store<ReadonlySet<string>> & { rights(): Rights | undefined } {
  const listeners = new Set<() => void>();
  let config = client.connection.get().config;
  let active = config ? activeOf(config) : servedWith();
  let rights = config?.rights;
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
        rights = config?.rights ?? rights;
        set(activeOf(config));
      }
      // Another server may answer after an interruption.
      if (now.stream === 'open' && stream === 'lost') {
        client.call('GET /api/config').then(
          (read) => {
            // A device may have been given another role; what is the same stays so, or all would be drawn anew.
            if (JSON.stringify(read.rights) !== JSON.stringify(rights)) rights = read.rights;
            set(activeOf(read));
          },
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
    rights: () => rights,
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
