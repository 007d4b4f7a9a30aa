// Hosted OAuth: accounts at other services, their tokens, and tools for everyday work there.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/connections';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/tools';
import type {} from './contract.ts';
import { createAccounts } from './accounts.ts';
import { createHostedSite } from './hosted-site.ts';
import { createProviderBook } from './provider-book.ts';
import { providers } from './providers/all.ts';
import { createRoutes } from './routes.ts';

export const manifest = {
  name: 'integrations',
  requires: ['connectionStore', 'http'],
  optional: ['hubSite'],
  provides: ['providerTokens'],
  errors: {
    FORBIDDEN: { message: 'The account was not connected: {why}', status: 403 },
    NOT_FOUND: { message: "There is no {what} '{name}'.", status: 404 },
    NOT_SERVING: { message: 'The server does not listen, so no sign-in can come back to it.', status: 503 },
    DISABLED: { message: 'Accounts are connected through the hosted site, and the plugin that knows it is not loaded.', status: 503 },
    NEEDS_SIGN_IN: { message: "'{provider}' needs a sign-in: connect the account again ({why}).", status: 409 },
    UNREACHABLE: { message: "The hosted site could not refresh the token of '{provider}': {why}. The account is kept; try again later.", status: 503 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  const makeError = registry.error.bind(registry);
  const site = createHostedSite(services, registry.signal, makeError);
  const accounts = createAccounts({
    store: services.connectionStore,
    site,
    changed: (name, status) => void emitter.call('connection.changed', { kind: 'provider', name, status }),
    makeError,
    warn: (message) => registry.log.warn(message),
  });
  const book = createProviderBook({ registry, accounts });

  registry.point('integration_provider', book.point);
  for (const provider of providers) registry.add('integration_provider', provider);
  registry.add('connection_source', { name: 'integrations', providers: () => book.rows() });
  registry.provide('providerTokens', () => ({ token: (provider, accountId) => accounts.token(provider, accountId) }));
  for (const route of createRoutes({ book, accounts, site, makeError })) registry.add('route', route);
  emitter.on('kernel_ready', () => void book.offerTools());
  registry.defer(() => book.settle(), 'tools of connected accounts');
}
