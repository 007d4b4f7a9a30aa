// Registers the licenses of services: issues, renews and revokes licenses, and verifies them on each request.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type { RestoreStep } from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { licenseCommands } from './commands.ts';
import { createCredentialSource } from './license-credentials.ts';
import { errors } from './license-errors.ts';
import { createLicenses } from './licenses.ts';
import { licenseRoutes } from './routes.ts';
import { tables } from './tables.ts';

/** Ensures that revoked licenses stay revoked after a restore. */
const restoredLicenses: RestoreStep = {
  name: 'revoked-licenses',
  async keep(query) {
    return (await query.query<{ jti: string }>('select jti from license where revoked_at is not null')).map(({ jti }) => jti);
  },
  async apply(query, { isSignOut }, kept) {
    await query.query('update license set revoked_at = now() where revoked_at is null and ($1 or jti = any($2::text[]))', [isSignOut, kept ?? []]);
  },
};

export const manifest = {
  name: 'plane-licenses',
  requires: ['database', 'http', 'people', 'planeKeys', 'planeSite', 'storage'],
  provides: ['planeLicenses'],
  errors,
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { database, people, planeKeys, planeSite, storage } = registry.services;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'licenses', sql: tables });
  registry.add('restore_step', restoredLicenses);
  const licenses = createLicenses({ database, planeKeys, storage, issuer: () => planeSite.url(), makeError });
  registry.provide('planeLicenses', () => ({ issue: licenses.issue, holder: licenses.holder }));
  registry.add('token_source', {
    name: 'licenses',
    async identify(token) {
      const member = await licenses.identify(token);
      return member && people.principalOf(member);
    },
    isSetUp: async () => (await people.operator()) !== undefined,
  });
  registry.add('credential_source', createCredentialSource(database));
  for (const route of licenseRoutes(licenses, people, planeKeys, planeSite, makeError)) registry.add('route', route);
  for (const command of licenseCommands({ database, people, licenses, makeError })) registry.add('cli_command', command);
}
