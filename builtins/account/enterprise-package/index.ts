// Registers the plugins of paid tiers: downloads their package from the control plane after sign-in, verifies it, and loads it.
import { isAbsolute, join } from 'node:path';
import type { Emitter, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { lesserTier } from 'agent-harness/tiers';
import type {} from 'agent-harness/builtins/account/hub';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/schedule';
import type { BundlePlugins } from 'agent-harness/plugins/settings';
import type { PackageUpdater } from './package-updater.ts';
import type { manifest } from './manifest.ts';

export { manifest } from './manifest.ts';

/** Interval between checks for a newer package, in milliseconds. */
const updateMs = 6 * 3_600_000;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log } = registry;
  const closed = new AbortController();
  registry.defer(() => closed.abort(), 'enterprise package');

  function isPaid(): boolean {
    const { status, tier } = services.license.state();
    return (status === 'active' || status === 'grace') && lesserTier(tier, 'pro') === 'pro';
  }

  let opening: Promise<PackageUpdater> | undefined;
  const open = (bundlePlugins: BundlePlugins): Promise<PackageUpdater> =>
    (opening ??= import('./package-updater.ts').then(({ createPackageUpdater }) =>
      createPackageUpdater({
        dir: isAbsolute(config.dir) ? config.dir : join(services.product.home, 'enterprise'),
        license: services.license,
        controlPlane: services.controlPlane,
        bundlePlugins,
        program: services.product.version,
        isBusy: () => services.turns?.statuses().some(({ busy }) => busy) === true,
        isPaid,
        report(reason, details) {
          const { code, message } = registry.error(reason, details);
          emitter.emit('error', { source: 'enterprise-package', code, message });
        },
        log: (message) => log.info(message),
        signal: closed.signal,
      }),
    ));

  /** Applies the state of the account. Loads no code while the user is signed out. @param checksForUpdate whether to check for a newer package */
  async function follow(checksForUpdate: boolean): Promise<void> {
    const { license, bundlePlugins } = services;
    await license.ready();
    if (!bundlePlugins || closed.signal.aborted || (!isPaid() && !opening)) return;
    const updater = await open(bundlePlugins);
    await updater.settle();
    if (checksForUpdate) await updater.update();
  }
  const followSoon = (checksForUpdate: boolean): void =>
    void follow(checksForUpdate).catch((fault: unknown) => log.warn(`the enterprise package was not updated: ${messageOf(fault)}`));

  // A process that runs a single command loads the installed package without checking for updates.
  emitter.on('kernel_ready', () => followSoon(false));
  emitter.on('account_changed', () => followSoon(services.http.address() !== undefined));
  emitter.tap('hub.reconnect', () => followSoon(true));
  registry.add('job', { name: 'update-enterprise-package', when: { everyMs: updateMs }, run: () => follow(true) });
}
