// Registers the team bus: messages between the agents of a team's members.
import { lazy } from '#lib/async';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import { busFamily } from './family.ts';
import { busRoutes } from './routes.ts';

export const manifest = {
  name: 'team-bus',
  entitlement: 'team.shared_memory',
  requires: ['controlPlane', 'chats', 'storage', 'product', 'license'],
  errors: { UNREAD: { message: '{why}', status: 503 }, REFUSED: { message: '{why}', status: 422 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  const publish = lazy(() => import('./publish.ts').then(({ createPublish }) => createPublish(services.controlPlane)));
  registry.add(
    'tool_family',
    busFamily(async () => (await import('./bus-tools.ts')).createBusTools(services, await publish())),
  );
  for (const route of busRoutes({ controlPlane: services.controlPlane, publish, makeError: registry.error.bind(registry) })) registry.add('route', route);
}
