// Registers remote pairing: serves the page to paired devices through the control plane's relay, end-to-end encrypted.
import { lazy } from '#lib/async';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/builtins/account/pairing';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'pairing-outside',
  entitlement: 'pro.cloud_sync',
  requires: ['controlPlane', 'hubSite', 'http', 'pairing', 'product', 'storage'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, log } = registry;
  /** Address of a separate listener, whose requests never count as the local user's, regardless of their token. */
  const listenerAddress = lazy(
    () =>
      new Promise<string>((resolve, reject) => {
        const listener = registry.add('listener', {
          ...{ host: '127.0.0.1', port: 0, ceiling: { role: 'owner' } },
          opened: ({ url }) => resolve(url),
          failed(fault) {
            void listener.dispose();
            reject(fault);
          },
        });
      }),
  );

  const load = lazy(() =>
    Promise.all([import('./host/relay-links.ts'), import('./host/link-store.ts')]).then(([{ createRelayLinks }, { createLinkStore }]) =>
      createRelayLinks({
        store: createLinkStore(services.storage, services.product),
        pairing: services.pairing,
        ask: async (request) => services.controlPlane.request(request),
        listenerAddress,
        version: services.product.version,
        warn: (message) => log.warn(message),
      }),
    ),
  );

  registry.add('pairing_way', {
    name: 'outside',
    unavailable() {
      const { hostname } = new URL(services.hubSite.controlPlane());
      return hostname.endsWith('.invalid') ? 'No control plane is set: set AGENT_HUB_SITE_URL to its address, or run `app login --site ADDRESS`.' : undefined;
    },
    offer: async (offer) => (await load()).offer(offer),
  });
  // Reads nothing before the server is up, and loads no code if no device was paired remotely.
  const openStoredLinks = async (): Promise<void> => {
    if (existsSync(join(services.product.home, 'outside_links.json'))) await (await load()).start();
  };
  emitter.tap('server.idle', openStoredLinks);
  // A plugin that is enabled later starts after the server is up.
  if (services.http.address()) openStoredLinks().catch((fault: unknown) => log.warn(`paired devices outside the network cannot connect: ${messageOf(fault)}`));
  services.pairing.watch(() => void load.made?.then((one) => one.check()).catch(() => undefined));
  registry.defer(async () => (await load.made)?.close(), 'links from outside');
}
