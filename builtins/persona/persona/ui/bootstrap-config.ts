// Provides the configuration after the last change of the persona, because the connection's copy is then outdated.
import type { Client, Config, Store } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';

/** Returns a store for the lifetime of the client; `undefined` until the persona changes. */
export const changedConfigOf = perObject('persona config', (client: Client): Store<Config | undefined> => {
  const listeners = new Set<() => void>();
  let config: Config | undefined;
  client.on(({ kind }) => {
    if (kind !== 'persona_changed') return;
    client.call('GET /api/config').then(
      (read) => {
        config = read;
        for (const listener of listeners) listener();
      },
      () => undefined, // the known configuration stays until the next change
    );
  });
  return {
    get: () => config,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
});
