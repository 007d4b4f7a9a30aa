// Registers the tool that lists the members of the account's organisation.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/tools';

export const manifest = {
  name: 'team-admin',
  entitlement: 'team.rbac',
  requires: ['controlPlane'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool_family', {
    name: 'team_admin',
    description: 'Members of the organisation.',
    tools: [
      {
        name: 'team_list_members',
        description: 'Lists the members of the organisation with their roles.',
        input: Type.Object({}, { additionalProperties: false }),
        effects: ['read', 'network'],
        replay: 'pure',
      },
    ],
    load: async () => ({
      async team_list_members(_: never, { signal }) {
        const { body } = await registry.services.controlPlane.request({ method: 'GET', path: '/api/team/org/members', signal });
        // Other users entered these names and addresses, so they are untrusted.
        return { ok: true, output: JSON.stringify(body, undefined, 2), isUntrusted: true };
      },
    }),
  });
}
