// Registers the sign-in of services: with a form on the same machine, or with a code that is confirmed on another machine.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-licenses';
import type {} from 'agent-harness/builtins/control-plane/plane-pages';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import { callbackAddressOf } from './callback-address.ts';
import { createDeviceCodes } from './device-codes.ts';
import { signInRoutes } from './routes.ts';
import { isState } from './schemas.ts';
import { errors } from './sign-in-errors.ts';
import { tables } from './tables.ts';

export const manifest = {
  name: 'plane-service-sign-in',
  requires: ['database', 'http', 'people', 'planeAttempts', 'planeLicenses', 'planeSite'],
  errors,
} as const satisfies PluginManifest;

/** Interval between deletions of expired codes, in milliseconds. */
const sweepMs = 3_600_000;

export function register(registry: Registry<typeof manifest>): void {
  const { database, people, planeAttempts, planeLicenses, planeSite } = registry.services;
  const makeError = registry.error.bind(registry);
  registry.add('migration', { number: 1, name: 'service-sign-in', sql: tables });
  const devices = createDeviceCodes(database, planeLicenses, makeError);
  const parts = { database, people, planeAttempts, planeLicenses, planeSite, devices, makeError };
  for (const route of signInRoutes(parts)) registry.add('route', route);
  registry.add('page_guard', {
    path: '/connect/harness',
    check({ query }) {
      const { redirect_uri: given, state } = query as Readonly<Record<string, unknown>>;
      const address = typeof given === 'string' ? callbackAddressOf(given) : undefined;
      if (!address || typeof state !== 'string' || !isState(state)) throw makeError('REDIRECT');
      return { formTargets: [address.url] };
    },
  });
  registry.add('job', {
    name: 'sweep-sign-ins',
    when: { everyMs: sweepMs },
    async run() {
      await devices.sweep();
      await database.query(`delete from used_sign_in_state where used_at < now() - interval '1 day'`);
    },
  });
}
