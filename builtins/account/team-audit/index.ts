// Registers the audit reporter: sends each turn's metrics to the organisation's audit log, and stores them on disk while the control plane is unreachable.
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import { auditEventOf } from './audit-event.ts';

export const manifest = {
  name: 'team-audit',
  entitlement: 'team.audit_log',
  requires: ['controlPlane', 'license', 'storage', 'product'],
  config: Type.Object({
    isOn: Type.Boolean({
      default: true,
      env: 'AGENT_TEAM_AUDIT_LOG',
      tab: 'harness',
      title: 'Audit log of the team',
      description: 'Sends metrics and model names of each turn, but no text, to the audit log of the organisation.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, services, log, signal } = registry;
  const load = lazy(() =>
    import('./audit-spool.ts').then(({ createAuditSpool }) => createAuditSpool({ services, signal, warn: (message) => log.warn(message) })),
  );
  emitter.tap('turn.after', async (turn, end) => {
    if (config.isOn) await (await load()).add(auditEventOf(turn, end, new Date()));
  });
  // Sends the events that an earlier run could not send.
  emitter.tap('app.start', () => void load().then((spool) => spool.send()));
  registry.defer(async () => (await load.made)?.close(), 'audit log');
}
