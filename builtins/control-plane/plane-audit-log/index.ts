// Registers the audit log as a service. The routes are in another plugin, because they require plugins that write to the log themselves.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { createAudit } from './audit-log.ts';
import { tables } from './tables.ts';

export const manifest = {
  name: 'plane-audit-log',
  requires: ['database', 'storage'],
  provides: ['audit'],
} as const satisfies PluginManifest;

/** Interval between deletions of expired audit lines, in milliseconds. */
const sweepMs = 3_600_000;

export function register(registry: Registry<typeof manifest>): void {
  registry.add('migration', { number: 1, name: 'audit', sql: tables });
  const audit = createAudit(registry.services);
  registry.provide('audit', () => audit);
  registry.add('restore_step', {
    name: 'audit-line',
    async apply(query, { at }) {
      const all = await query.query<{ org_id: string }>('select org_id from audit_chain order by org_id');
      for (const { org_id: orgId } of all) await audit.record(orgId, { kind: 'backup_restored', metrics: { madeAt: at } }, query);
    },
  });
  registry.add('job', { name: 'sweep-audit', when: { everyMs: sweepMs }, run: async () => void (await audit.sweep()) });
}
