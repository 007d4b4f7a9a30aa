// Tracks the active plugins of the server, and the rights of this page.
import type { Client, Config, Store } from 'agent-harness/client';
import { perObject } from '../kit/per-object.ts';

/** Returns the names of the active plugins; before the first response, only those that provide a sign-in method. */
export const activePluginsOf = perObject('active plugins', createActivePlugins);

type Rights = Config['rights'];

/** Returns the rights of this page; `undefined` until the server has responded. */
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
      // After an interruption, another server may respond.
      if (now.stream === 'open' && stream === 'lost') {
        client.call('GET /api/config').then(
          (read) => {
            // The role of a device may have changed. Equal rights keep their object identity, to avoid rerendering everything.
            if (JSON.stringify(read.rights) !== JSON.stringify(rights)) rights = read.rights;
            set(activeOf(read));
          },
          () => undefined, // the known state remains until the stream reopens
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

/** Returns the plugins that provide a sign-in method. Their names are embedded in a page that is served without a token, which can read nothing else. */
function servedWith(): ReadonlySet<string> {
  return new Set(document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content.split(' '));
}

function activeOf(config: Config | undefined): ReadonlySet<string> {
  return new Set((config?.plugins ?? []).filter(({ state }) => state === 'active').map(({ name }) => name));
}
