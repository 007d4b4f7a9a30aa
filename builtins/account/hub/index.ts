// Registers the hosted account: sign-in by browser, sign-out, tier and credits.
import { lazy } from '#lib/async';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import type { Account, LicenseState } from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/schedule';
import type { HubSite } from './contract.ts';
import { createHubAccount } from './hub-account.ts';
import { requireManagedOnly } from './managed-only.ts';
import { hubRoutes } from './routes.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

/** Returns whether half of the lifetime of a license from a sign-in has passed; `false` for a license from the environment, which the operator renews. */
function isRenewalDue({ issuedAt = '', expiresAt = '' }: LicenseState, account: Account | null, now: number): boolean {
  return account?.source === 'browser' && now >= (Date.parse(issuedAt) + Date.parse(expiresAt)) / 2;
}

/** Interval between renewal checks in milliseconds. */
const renewalMs = 6 * 3_600_000;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const plain = (url: string): string => url.replace(/\/+$/, '');
  const { config, services, log } = registry;
  const site: HubSite = { url: () => plain(config.siteUrl), controlPlane: () => plain(config.controlPlaneUrl || config.siteUrl) };
  registry.provide('hubSite', () => site);

  let renewing: Promise<void> | undefined;
  /** Joins a renewal that is already running. */
  const renew = (signal: AbortSignal): Promise<void> =>
    (renewing ??= import('./renew-license.ts')
      .then(({ renewLicense }) => renewLicense({ license: services.license, hubSite: site, log, signal }))
      .finally(() => (renewing = undefined)));

  const closed = new AbortController();
  registry.defer(() => closed.abort(), 'sign-ins');
  const hub = createHubAccount(registry, emitter, { hubSite: site, renew, signal: closed.signal });
  const openPlane = lazy(() =>
    import('./control-plane.ts').then(({ createControlPlane }) =>
      createControlPlane({
        license: services.license,
        hubSite: site,
        log,
        makeError: registry.error.bind(registry),
        async renew(signal) {
          const before = await services.license.token();
          await renew(signal);
          const now = await services.license.token();
          return now !== undefined && now !== before;
        },
      }),
    ),
  );
  registry.provide('controlPlane', () => ({
    request: async (request) => (await openPlane()).request(request),
    download: async (file) => (await openPlane()).download(file),
    follow: (stream) => void openPlane().then((open) => open.follow(stream)),
  }));
  registry.defer(async () => (await openPlane.made)?.dispose(), 'control plane');

  registry.add('job', {
    name: 'renew-license',
    when: { everyMs: renewalMs },
    async run({ signal }) {
      const { license } = services;
      await license.ready();
      if (isRenewalDue(license.state(), license.account(), Date.now())) await renew(signal);
    },
  });
  requireManagedOnly(registry, emitter);
  emitter.hook('hub.inference', 'waterfall', { onError: 'skip' });
  emitter.hook('hub.reconnect', 'series', { onError: 'skip' });
  for (const route of hubRoutes(hub)) registry.add('route', route);
}
