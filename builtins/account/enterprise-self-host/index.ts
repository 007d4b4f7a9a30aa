// Registers the tool that reports the status of a self-hosted control plane.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/tools';

export const manifest = {
  name: 'enterprise-self-host',
  entitlement: 'enterprise.self_host',
  requires: ['controlPlane'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool_family', {
    name: 'enterprise_self_host',
    description: 'Status of the control plane that the organisation operates.',
    tools: [
      {
        name: 'enterprise_self_host_status',
        description: 'Returns the status of the organisation’s control plane: version, nodes, database, bus. Only admins can use it.',
        input: Type.Object({}, { additionalProperties: false }),
        effects: ['read', 'network'],
        replay: 'pure',
      },
    ],
    load: async () => ({
      async enterprise_self_host_status(_: never, { signal }) {
        const { body } = await registry.services.controlPlane.request({ method: 'GET', path: '/api/enterprise/self_host/status', signal });
        // Users of the control plane entered these names and addresses, so they are untrusted.
        return { ok: true, output: JSON.stringify(body, undefined, 2), isUntrusted: true };
      },
    }),
  });
}
