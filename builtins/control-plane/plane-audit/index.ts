// Registers the audit log's HTTP API: services report events; admins read, export and verify the log and set its retention.
import { countWithNoun } from '#lib/text';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import { auditRoutes } from './routes.ts';

export const manifest = {
  name: 'plane-audit',
  requires: ['audit', 'people', 'http'],
  errors: { INVALID_REQUEST: { message: 'The audit events are not valid: {why}', status: 400 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  for (const route of auditRoutes({ services, makeError: registry.error.bind(registry) })) registry.add('route', route);
  registry.add('cli_command', {
    name: 'audit-verify',
    summary: 'Checks that the audit log of an organisation is unchanged.',
    usage: '<org id>',
    async run({ positionals: [orgId] }, output) {
      if (orgId === undefined) {
        output.err('The id of the organisation is missing. Add it, such as org_01….\n');
        return 2;
      }
      const check = await services.audit.verify(orgId);
      output.out(check.ok ? `${countWithNoun(check.events, 'line')}, none changed. Newest: ${check.head}\n` : `Line ${check.brokenAt}: ${check.why}\n`);
      return check.ok ? 0 : 1;
    },
  });
}
