// Registers the policy and fleet configuration of organisations: signed documents with a history, for the services of members.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import { messageOf } from '#lib/errors';
import type {} from 'agent-harness/plugins/http';
import { createChangeFeeds } from './change-feeds.ts';
import type { Policy } from './contract.ts';
import { createDocuments, tables } from './documents.ts';
import { effectivePolicy } from './effective.ts';
import { restoredDocuments } from './restored.ts';
import { policyRoutes } from './routes.ts';
import { createSignedDocuments } from './signed-documents.ts';

export const manifest = {
  name: 'plane-policy',
  requires: ['database', 'signals', 'planeKeys', 'people', 'audit', 'http'],
  provides: ['planePolicy'],
  errors: {
    REVISION_CONFLICT: { message: 'The {what} has since changed: its revision is now {revision}. Read it again and repeat your change.', status: 409 },
    INVALID_REQUEST: { message: 'The {what} is not valid: {why}', status: 400 },
    NOT_FOUND: { message: 'The {what} has no revision {revision}.', status: 404 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, log } = registry;
  registry.add('migration', { number: 1, name: 'documents', sql: tables });
  registry.add('restore_step', restoredDocuments);
  const documents = createDocuments(services.database);
  const onFault = (fault: unknown): void => log.warn(`changes of policies and members could not be read; the read will be repeated: ${messageOf(fault)}`);
  const feeds = createChangeFeeds({ database: services.database, signals: services.signals, onFault });
  registry.defer(() => feeds.dispose(), 'changes');
  registry.provide('planePolicy', () => ({
    async effective({ org, person, role, entitlements }) {
      const isEntitled = entitlements.includes('team.policy_governance');
      const { body } = isEntitled ? await documents.current(org.id, 'policy') : { body: {} };
      return effectivePolicy(body as Policy, { email: person.email, role });
    },
  }));
  const signed = createSignedDocuments(services.planeKeys);
  for (const route of policyRoutes({ services, documents, signed, feeds, makeError: registry.error.bind(registry) })) registry.add('route', route);
}
