// Registers single sign-on per organisation with OpenID Connect.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { isLoopback } from '#lib/hosts';
import type {} from 'agent-harness/builtins/control-plane/plane-audit-log';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-people';
import type {} from 'agent-harness/builtins/control-plane/plane-serve';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/schedule';
import { createLinks } from './links.ts';
import { createProviderClient } from './provider-client.ts';
import { createSsoRoutes } from './routes.ts';
import { createSsoStore } from './settings.ts';
import { createSsoSignIn } from './sign-in.ts';
import { errors } from './sso-errors.ts';
import { tables } from './tables.ts';

export const manifest = {
  name: 'plane-sso',
  requires: ['database', 'http', 'people', 'planeAttempts', 'planeKeys', 'planeSite'],
  optional: ['audit'],
  errors,
} as const satisfies PluginManifest;

/** Interval between deletions of expired sign-ins, in milliseconds. */
const sweepMs = 3_600_000;
const wrongUse = 2;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  const { database, people, planeKeys: keys, planeAttempts: attempts, planeSite } = services;
  registry.add('migration', { number: 1, name: 'single-sign-on', sql: tables });
  const makeError = registry.error.bind(registry);
  const planeUrl = (): string => planeSite.url();
  const redirectUri = (): string => `${planeUrl()}/api/sso/callback`;
  // A control plane that only this machine can reach may use a provider without TLS.
  const allowsPlain = (url: URL): boolean => url.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(new URL(planeUrl()).hostname);
  const audit = (): typeof services.audit => services.audit;
  const mayBeInside = async (orgId: string): Promise<boolean> => (await people.operator())?.id === orgId;
  const store = createSsoStore({ database, keys, audit, mayBeInside, allowsPlain, makeError });
  const client = createProviderClient({ mayBeInside, allowsPlain, makeError });
  const links = createLinks({ database, people, store, audit, makeError });
  const signIn = createSsoSignIn({ database, keys, people, store, links, client, redirectUri, audit, makeError });
  const parts = { store, signIn, links, people, attempts, planeUrl, redirectUri, clientOf: planeSite.clientOf.bind(planeSite), makeError };
  for (const route of createSsoRoutes(parts)) registry.add('route', route);
  registry.add('job', { name: 'sweep-sso', when: { everyMs: sweepMs }, run: () => signIn.sweep() });
  registry.add('cli_command', {
    name: 'prove-domain',
    summary: 'Verifies an e-mail domain for an organisation. People with a verified address of the domain then join automatically through its single sign-on.',
    options: {
      org: { type: 'string', description: 'Id of the organisation. Its single sign-on settings must contain the domain.' },
      domain: { type: 'string', description: 'E-mail domain, such as example.org.' },
    },
    async run({ options: { org, domain } }, output) {
      if (typeof org !== 'string' || typeof domain !== 'string') {
        output.err('The organisation or the domain is missing. Add --org org_… --domain example.org\n');
        return wrongUse;
      }
      await store.prove(org, domain);
      output.out(`${domain} is verified for ${org}.\n`);
      return 0;
    },
  });
}
