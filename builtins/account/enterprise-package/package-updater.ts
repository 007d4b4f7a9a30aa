// Synchronises the enterprise package with the account: installs it for paid tiers, updates it, and unloads it after sign-out.
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadReport } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { codeOf, messageOf } from '#lib/errors';
import { isWithin } from '#lib/paths';
import type { ControlPlane } from 'agent-harness/builtins/account/hub';
import type { License } from 'agent-harness/plugins/licensing';
import type { BundlePlugins } from 'agent-harness/plugins/settings';
import { fetchPackage, readOffer, type Offer } from './fetch-package.ts';
import { createInstalled } from './installed.ts';
import type { manifest } from './manifest.ts';
import { judgePackage } from './package-claims.ts';

export interface PackageUpdaterParts {
  readonly dir: string;
  readonly license: License;
  readonly controlPlane: ControlPlane;
  readonly bundlePlugins: BundlePlugins;
  /** Version of this program. */
  readonly program: string;
  readonly isBusy: () => boolean;
  readonly isPaid: () => boolean;
  /** Emits an `error` event for the user. */
  readonly report: (reason: keyof typeof manifest.errors, details: Readonly<Record<string, unknown>>) => void;
  readonly log: (message: string) => void;
  readonly signal: AbortSignal;
}

export interface PackageUpdater {
  /** Loads or unloads the installed package according to the account. Never rejects. */
  settle(): Promise<void>;
  /** Checks for a newer package. Never rejects. */
  update(): Promise<void>;
}

/** Polling interval, in milliseconds, while turns are running. */
const idlePollMs = 500;

export function createPackageUpdater(parts: PackageUpdaterParts): PackageUpdater {
  const { license, controlPlane, bundlePlugins, program, isBusy, isPaid, report, log, signal } = parts;
  const installed = createInstalled(parts.dir, license);
  const queue = createSerialQueue();
  let isLoaded = false;
  /** The last reported problem; an unchanged problem is not reported again. */
  let lastReported: string | undefined;

  function reportOnce(reason: keyof typeof manifest.errors, details: Readonly<Record<string, unknown>>): void {
    const key = JSON.stringify([reason, details]);
    if (key !== lastReported) report(reason, details);
    lastReported = key;
  }

  const brokenIn = ({ plugins }: LoadReport): string | undefined => {
    const broken = plugins.find(({ origin, state, place }) => origin === 'bundle' && state === 'failed' && isWithin(installed.dir, place));
    return broken && `${broken.name}: ${broken.reason ?? 'it failed'}`;
  };

  async function unload(): Promise<void> {
    if (isLoaded) await bundlePlugins.unload(installed.dir);
    isLoaded = false;
  }

  async function settle(): Promise<void> {
    const isWanted = isPaid();
    if (!isWanted) await unload();
    if (isLoaded || !isWanted) return;
    await installed.repair();
    const found = await installed.read();
    if (found === 'invalid') reportOnce('INVALID', { why: `the content of ${installed.dir} is not signed by the control plane.` });
    if (typeof found === 'string') return;
    isLoaded = true;
    await bundlePlugins.load(installed.dir);
  }

  async function update(): Promise<void> {
    if (!isPaid()) return;
    const offer = await readOffer(controlPlane, license, signal);
    if (offer === 'none') return;
    if (offer === 'invalid') return reportOnce('INVALID', { why: 'its manifest is not signed by the control plane.' });
    const { version, minVersion } = offer.claims;
    const found = await installed.read();
    const known = typeof found === 'string' ? undefined : found;
    const verdict = judgePackage(offer.claims, known, program);
    if (verdict === 'older') return reportOnce('OLDER', { version, installed: known?.version });
    if (verdict === 'needs_newer_program') return reportOnce('NOT_INSTALLED', { why: `version ${version} needs version ${minVersion} of this program.` });
    if (verdict === 'install') await install(offer);
  }

  async function install(offer: Offer): Promise<void> {
    const { version } = offer.claims;
    const folder = await fetchPackage(offer, installed, controlPlane, signal).catch((fault: unknown) => {
      if (!signal.aborted && !isOfPlane(fault)) reportOnce('INVALID', { why: messageOf(fault) });
      else log(`version ${version} could not be downloaded: ${messageOf(fault)}`);
      return undefined;
    });
    if (folder === undefined) return;
    try {
      // Running turns finish with the previous package.
      while (isBusy() && isLoaded) await delay(idlePollMs, undefined, { signal });
      signal.throwIfAborted();
      // Without this, the loader would keep the working previous package beside the new one.
      await unload();
      await installed.replace(folder);
    } catch (fault) {
      await settle();
      throw fault;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    if (!isPaid()) return;
    isLoaded = true;
    const why = brokenIn(await bundlePlugins.load(installed.dir));
    if (why === undefined) return log(`version ${version} is loaded`);
    await unload();
    await installed.restore();
    await settle();
    reportOnce('FAILED', { version, why });
  }

  const guarded = (work: () => Promise<void>) => (): Promise<void> =>
    queue
      .run(async () => {
        if (!signal.aborted) await work();
      })
      .catch((fault: unknown) => {
        if (signal.aborted) return;
        if (isOfPlane(fault)) log(`the check for a newer version failed: ${messageOf(fault)}`);
        else reportOnce('NOT_INSTALLED', { why: messageOf(fault) });
      });

  return { settle: guarded(settle), update: guarded(update) };
}

/** Returns whether the fault comes from the control plane; such faults may be temporary and are not reported. */
function isOfPlane(fault: unknown): boolean {
  return codeOf(fault)?.startsWith('HUB_ERR_') === true;
}
