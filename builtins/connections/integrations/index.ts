// Registers hosted OAuth: accounts at other services, their tokens, and the tools that use them.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/connections';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/tools';
import type {} from './contract.ts';
import { createAccounts } from './accounts.ts';
import { createHostedSite } from './hosted-site.ts';
import { createProviderRegistry } from './provider-registry.ts';
import { providers } from './providers/all.ts';
import { createRoutes } from './routes.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const makeError = registry.error.bind(registry);
  const site = createHostedSite(services, registry.signal, makeError);
  const accounts = createAccounts({
    store: services.connectionStore,
    site,
    changed: (name, status) => void emitter.call('connection.changed', [{ kind: 'provider', name, status }]),
    makeError,
    warn: (message) => registry.log.warn(message),
  });
  const book = createProviderRegistry({ registry, accounts });

  registry.point('integration_provider', book.point);
  for (const provider of providers) registry.add('integration_provider', provider);
  registry.add('connection_source', { name: 'integrations', providers: () => book.rows() });
  registry.provide('providerTokens', () => ({ token: (provider, accountId) => accounts.token(provider, accountId) }));
  for (const route of createRoutes({ book, accounts, site, makeError })) registry.add('route', route);
  emitter.on('kernel_ready', () => void book.offerTools());
  registry.defer(() => book.settle(), 'tools of connected accounts');
}
