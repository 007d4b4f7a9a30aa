// Implements the service for the plugin life cycle; loads each of its modules on first use.
import { lazy } from '#lib/async';
import { join, resolve } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Registry } from 'agent-harness/kernel';
import type { PluginLife } from 'agent-harness/builtins/connections/plugin-life';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import { hasCode, isFailure } from '#lib/errors';
import { isThere } from '#lib/files';
import type { Offers } from './install/offers.ts';
import type { manifest } from './manifest.ts';
import type { SourcePlaces } from './sources/fetch-source.ts';

/** Creates the service. The caller must dispose it, which deletes offers that were not installed. */
export function createPluginLife(registry: Registry<typeof manifest>): PluginLife {
  const { services, config } = registry;
  const { home } = services.product;
  const refused = (why: string, cause?: unknown): Error => registry.error('REFUSED', { why }, cause);

  /** Runs the work, and adds a code to its errors for the caller. */
  const withRefusal = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (fault) {
      throw isFailure(fault) ? refused(fault.message, fault) : fault;
    }
  };
  const userPlugins = (): UserPlugins => {
    if (!services.userPlugins) throw refused('This program was started without a plugin folder.');
    return services.userPlugins;
  };
  const places = (): SourcePlaces & { readonly coolDownDays: number } => ({
    registry: config.registry,
    coolDownDays: config.coolDownDays,
  });
  const lock = async () => (await import('./install/lock-file.ts')).openLockFile(home, services.storage);
  async function makeOffers(): Promise<Offers> {
    const { createOffers } = await import('./install/offers.ts');
    return createOffers({
      ...{ userPlugins: userPlugins(), lock: await lock(), places, now: Date.now },
      isTaken: (name) => services.kernel.report().plugins.some((row) => row.name === name && row.origin !== 'user'),
      tooYoung: (details) => registry.error('TOO_YOUNG', details),
      gone: () => registry.error('OFFER_GONE', {}),
    });
  }
  const openOffers = lazy(() => makeOffers());

  const dataOf = (name: string): string => join(home, 'plugin-data', name);
  async function deleteData(name: string): Promise<string> {
    await rm(dataOf(name), { recursive: true, force: true, maxRetries: 3 });
    return dataOf(name);
  }

  /** Removes the data of a plugin that was not installed: a disabled or missing built-in plugin, or a plugin whose file was deleted. */
  async function removeData(name: string): Promise<readonly string[]> {
    if (services.kernel.report().plugins.some((row) => row.name === name && row.state === 'active')) throw registry.error('AT_WORK', { name });
    if (!(await isThere(dataOf(name)))) throw registry.error('NOT_INSTALLED', { name });
    return [await deleteData(name)];
  }

  return {
    async create(name, { dir = services.userPlugins?.dir ?? join(home, 'plugins'), isTypeScript }) {
      if (!/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name)) throw refused(`'${name}' cannot be a plugin's name: use lower-case letters, digits and hyphens.`);
      const taken = services.kernel.report().plugins.find((row) => row.name === name);
      if (taken) throw refused(`A plugin '${name}' exists already (${taken.origin}); choose another name.`);
      const { writeNewPlugin } = await import('./author/create-plugin.ts');
      try {
        return await writeNewPlugin({ name, dir: resolve(dir), isTypeScript });
      } catch (fault) {
        if (hasCode(fault, 'EEXIST')) throw refused(`${join(resolve(dir), name)} exists already; nothing was changed.`);
        throw fault;
      }
    },
    build: async (path) => (await import('./author/build-types.ts')).buildTypes(path),
    test: (named, options) =>
      withRefusal(async () => (await import('./author/run-tests.ts')).runPluginTests({ path: userPlugins().locate(named), ...options })),
    look: (source, options) => withRefusal(async () => (await openOffers()).look(source, options)),
    install: (id, digest) => withRefusal(async () => (await openOffers()).install(id, digest)),
    installed: async () => (await lock()).read(),
    async audit() {
      const { auditPlugins } = await import('./install/audit.ts');
      return auditPlugins({ userPlugins: userPlugins(), rows: await (await lock()).read(), report: services.kernel.report().plugins });
    },
    async remove(name, { withData }) {
      const { removePlugin } = await import('./install/remove.ts');
      const rows = await lock();
      if (!Object.hasOwn(await rows.read(), name)) return withData ? removeData(name) : Promise.reject(registry.error('NOT_INSTALLED', { name }));
      const gone = await removePlugin(name, { userPlugins: userPlugins(), lock: rows, kernel: services.kernel, settings: services.settings });
      userPlugins().forget(name);
      // Waits until the plugin has ended, because it may write its data until then.
      await services.settings?.reloadPlugins('queue');
      return withData ? [...gone, await deleteData(name)] : gone;
    },
    async dispose() {
      await (await openOffers.made)?.dispose();
    },
  };
}
