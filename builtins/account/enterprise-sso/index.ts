// Registers the tool that reports the status of the organisation's single sign-on.
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/tools';

export const manifest = {
  name: 'enterprise-sso',
  entitlement: 'enterprise.sso',
  requires: ['controlPlane'],
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('tool_family', {
    name: 'enterprise_sso',
    description: "The organisation's single sign-on.",
    tools: [
      {
        name: 'enterprise_sso_status',
        description: 'Returns whether single sign-on is set up for the organisation, and with which provider. Only admins of the organisation can use it.',
        input: Type.Object({}, { additionalProperties: false }),
        effects: ['read', 'network'],
        replay: 'pure',
      },
    ],
    load: async () => ({
      async enterprise_sso_status(_: never, { signal }) {
        const { body } = await registry.services.controlPlane.request({ method: 'GET', path: '/api/enterprise/sso/config', signal });
        // Other users entered these names and addresses, so they are untrusted.
        return { ok: true, output: JSON.stringify(body, undefined, 2), isUntrusted: true };
      },
    }),
  });
}
