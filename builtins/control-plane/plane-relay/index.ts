// Registers the relay of remote sessions: forwards encrypted frames and inputs between a host and its guests, and stores them in memory until receipt.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { createChannelStore } from './channel-store.ts';
import { guestRoutes, principalOf } from './guest-routes.ts';
import { hostRoutes } from './host-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { errors } from './relay-errors.ts';
import { createRelaySessions } from './sessions.ts';
import { createNodeExchange, type NodeExchange } from './node-exchange.ts';
import { pageRole, tables } from './tables.ts';

export const manifest = {
  name: 'plane-relay',
  requires: ['database', 'people', 'planeAttempts', 'planeSite', 'signals', 'storage', 'http', 'product'],
  config: Type.Object({
    memoryMb: Type.Integer({
      default: 256,
      minimum: 1,
      maximum: 65_536,
      env: 'HUB_RELAY_MB',
      title: 'Relay memory',
      description:
        'Maximum memory in megabytes for encrypted frames and inputs of all remote sessions on one node. Above it, new frames and inputs are refused.',
      apply: 'live',
    }),
  }),
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config, log } = registry;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'relay', sql: tables });
  registry.add('migration', { number: 2, name: 'relay-pages', sql: pageRole });
  const sessions = createRelaySessions(services.database, (kind) => services.storage.createId(kind), makeError);
  const channels = createChannelStore(
    () => config.memoryMb * 1024 * 1024,
    { onWanting: (...wanting) => exchange.wanting(...wanting), onWanted: (...frame) => exchange.frame(...frame) },
    makeError,
  );
  const exchange: NodeExchange = createNodeExchange(services.signals, services.storage.createId('node'), () => channels);
  registry.defer(() => {
    exchange.dispose();
    channels.dispose();
  }, 'relay');
  registry.add('token_source', {
    name: 'relay guests',
    isSetUp: () => false,
    async identify(token) {
      const guest = await sessions.find(token);
      return guest && principalOf(guest);
    },
  });
  registry.add('job', {
    name: 'remove-old-relay-sessions',
    when: { everyMs: 3_600_000 },
    run: () => sessions.sweep().catch((fault: unknown) => log.warn(`expired remote sessions could not be removed: ${messageOf(fault)}`)),
  });
  registry.add('plane_metric', { name: 'plane_relay_sessions', help: 'Remote sessions on this node.', type: 'gauge', read: () => channels.figures().sessions });
  registry.add('plane_metric', {
    name: 'plane_relay_bytes',
    help: 'Bytes of encrypted frames and inputs in the memory of this node.',
    type: 'gauge',
    read: () => channels.figures().bytes,
  });
  const parts = { services, sessions, channels, exchange, makeError };
  const pages = pageRoutes({
    product: () => services.product,
    findFolder: async (name) => (await import('#lib/page-files')).builtPage(import.meta.dirname, name),
    makeError,
  });
  for (const route of [...hostRoutes(parts), ...guestRoutes(parts), ...pages]) registry.add('route', route);
}
