// Registers hosted connections, which let users connect accounts at other services through the operator's OAuth clients. Tokens are stored only in the user's
// own service.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import { codeOf, messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import { connectApiRoutes } from './api-routes.ts';
import { connectorCommand } from './commands.ts';
import { errors } from './connect-errors.ts';
import { createConnectStates } from './pending-connections.ts';
import { createConnectors } from './connectors.ts';
import type { ConnectProvider } from './contract.ts';
import { createOAuthClient } from './oauth-client.ts';
import { connectPageRoutes } from './page-routes.ts';
import { connectProviders } from './providers.ts';
import { tables } from './tables.ts';

export const manifest = {
  name: 'plane-connect',
  requires: ['database', 'planeKeys', 'planeSite', 'people', 'http'],
  optional: ['audit'],
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { database, planeKeys, planeSite, people } = registry.services;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'connect', sql: tables });

  const rows = new Map<string, ConnectProvider>();
  registry.point<'connect_provider'>('connect_provider', {
    validate: ({ id }) => (rows.has(id) ? `there is already a provider '${id}'` : undefined),
    added: (row) => void rows.set(row.id, row),
    removed: ({ id }) => void rows.delete(id),
  });
  for (const row of connectProviders) registry.add('connect_provider', row);

  const connectors = createConnectors(database, planeKeys);
  const states = createConnectStates(database, planeKeys);
  const callbackOf = (provider: string): string => `${planeSite.url()}/connect/${provider}/callback`;
  const purpose = (provider: string, userId: string): string => `refresh token ${provider} ${userId}`;
  const warn = (message: string): void => registry.log.warn(message);

  const shared = {
    ...{ people, makeError, callbackOf, warn },
    connectors: () => connectors,
    states: () => states,
    providers: () => [...rows.values()],
    async clientOf(provider: string) {
      const row = rows.get(provider);
      if (!row) throw makeError('NOT_FOUND', { provider });
      const client = await connectors.find(provider);
      if (!client) throw makeError('NOT_SET_UP', { provider: row.title });
      return { row, clientId: client.id, oauth: createOAuthClient(row, client, makeError, registry.signal) };
    },
    sealRefresh: (provider: string, userId: string, token: string) => planeKeys.seal(token, purpose(provider, userId)),
    openRefresh: (provider: string, userId: string, sealed: string) =>
      planeKeys.unseal(sealed, purpose(provider, userId)).catch((fault: unknown) => {
        throw codeOf(fault) === 'PLANE_KEYS_ERR_SEALED' ? makeError('INVALID_GRANT', { provider }) : fault;
      }),
  };
  type Recorded = Parameters<Parameters<typeof connectPageRoutes>[0]['connected']>[0];
  const record = async ({ org, person }: Recorded, kind: string, metrics: Readonly<Record<string, unknown>>): Promise<void> => {
    await registry.services.audit?.record(org.id, { kind, userId: person.id, metrics });
  };
  const pages = connectPageRoutes({
    ...shared,
    connected: (member, provider, mode) =>
      void record(member, 'account_connected', { provider, mode }).catch((fault: unknown) =>
        warn(`a connection could not be recorded in the audit log: ${messageOf(fault)}`),
      ),
  });
  const api = connectApiRoutes({ ...shared, changed: (member, provider, isSetUp) => record(member, 'connector_changed', { provider, isSetUp }) });
  for (const route of [...pages, ...api]) registry.add('route', route);
  registry.add('cli_command', connectorCommand({ ...shared, ready: () => database.ready() }));
}
