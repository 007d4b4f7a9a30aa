// The bus of a team: what an agent tells the agents of others, and what they told it.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import { busFamily } from './family.ts';

export const manifest = {
  name: 'team-bus',
  entitlement: 'team.shared_memory',
  requires: ['controlPlane', 'chats', 'storage', 'product', 'license'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool_family', busFamily(registry.services));
}
