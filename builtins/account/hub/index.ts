// The hosted account: sign-in by browser, sign-out, tier and credits.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from './contract.ts';
import { createHubAccount } from './hub-account.ts';
import { hubRoutes } from './routes.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const hub = createHubAccount(registry, emitter);
  const plain = (url: string): string => url.replace(/\/+$/, '');
  const { config } = registry;
  registry.provide('hubSite', () => ({ url: () => plain(config.siteUrl), controlPlane: () => plain(config.controlPlaneUrl || config.siteUrl) }));

  emitter.hook('hub.inference', 'waterfall', { onError: 'skip' });
  emitter.hook('hub.reconnect', 'series', { onError: 'skip' });
  for (const route of hubRoutes(hub)) registry.add('route', route);
}
