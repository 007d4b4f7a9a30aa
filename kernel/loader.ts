// Loads plugins from sources: discovers, prepares and starts them.
import { setTimeout as delay } from 'node:timers/promises';
import type { KernelError, LoadOptions, LoadReport, PluginChange, PluginLoader, PluginSource, RootEmitter, RootRegistry } from './types.ts';
import { entriesOf } from './discover.ts';
import { codeOf, kernelError, messageOf } from './errors.ts';
import { withTimeout } from './free-clock.ts';
import { checkModule } from './manifest.ts';
import type { KernelParts } from './parts.ts';
import { besideMs, hasUnsettledEntitlements } from './reconcile.ts';
import { findUnknownNames } from './report.ts';
import { byPrecedence, isThirdParty, notStarted, stateOf, type PluginRecord } from './record.ts';

export type LoaderRegistry = RootRegistry & { readonly loader: PluginLoader };

export const switchedOff = 'switched off in the settings';

/**
 * Loads every plugin of the sources, then emits `kernel_ready`. May be called again with further sources. A plugin that fails becomes a row of the report and
 * an `error` event; if a platform plugin fails, this rejects with `KRN_ERR_PLUGIN_PLATFORM`.
 */
export async function loadPlugins(registry: RootRegistry, _emitter: RootEmitter, options: LoadOptions): Promise<LoadReport> {
  const { loader } = registry as LoaderRegistry;
  await loader.load(options);
  return loader.ready();
}

export interface Loader extends PluginLoader {
  /** Resolves when no plugin is loading or starting. */
  idle(): Promise<void>;
  isLoading(): boolean;
}

/** Creates the plugin loader. @param begin ends the first load by emitting `kernel_ready` */
export function createLoader(parts: KernelParts, report: () => LoadReport, begin: () => void): Loader {
  const { table, exclusive, settle, emitFault } = parts;
  const loading = new Set<Promise<unknown>>();
  let beginLoads = (): void => undefined;
  const wanted = new Promise<void>((resolve) => (beginLoads = resolve));

  async function load({ sources, disabled, timeoutMs }: LoadOptions): Promise<LoadReport> {
    parts.limitMs = timeoutMs ?? parts.limitMs;
    const add = (await Promise.all(sources.map(prepare))).flat();
    const loaded = await reload({ add, ...(disabled ? { disabled } : {}) });
    for (const record of add) {
      const { state, code, reason } = stateOf(record);
      if (state === 'failed') emitFault(record.name, code, reason);
    }
    const broken = loaded.plugins.find(({ origin, state }) => origin === 'platform' && (state === 'failed' || state === 'unmet'));
    if (broken) throw kernelError('PLUGIN_PLATFORM', { plugin: broken.name, why: broken.reason });
    return loaded;
  }

  async function prepare(source: PluginSource): Promise<PluginRecord[]> {
    const records = (await entriesOf(source)).map((entry): PluginRecord => {
      const { name, place } = entry;
      return { name, place, origin: source.origin, entry, manifest: { name }, importMs: 0, status: notStarted };
    });
    await importAll(records, parts);
    return records;
  }

  async function reload({ add, remove = [], disabled }: PluginChange): Promise<LoadReport> {
    const added = add as readonly PluginRecord[];
    await exclusive('load plugins', async () => {
      if (disabled) table.disabled = new Map(disabled.map((one) => (typeof one === 'string' ? [one, switchedOff] : one)));
      table.records.splice(0, Infinity, ...table.records.filter((one) => !remove.includes(one)));
      admit(table.records, added);
      await settle(new Set(added));
    });
    await untilStarted(added);
    for (const { plugin = '', code, message } of findUnknownNames(parts)) emitFault(plugin, code, message);
    return report();
  }

  /** Waits for the plugins, including those that depend on another plugin of the same load. */
  async function untilStarted(records: Iterable<PluginRecord>): Promise<void> {
    for (;;) {
      const starting = [...records].flatMap(({ status }) => (status.kind === 'starting' ? [status.run.done] : []));
      if (starting.length === 0) return;
      await Promise.all(starting);
      await exclusive('load plugins', () => Promise.resolve());
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    loading.add(work);
    table.changed();
    const done = (): void => {
      loading.delete(work);
      table.changed();
    };
    work.then(done, done);
    return work;
  }

  return {
    load: (options) => track(load(options)),
    prepare: (source) => track(prepare(source)),
    reload: (change) => track(reload(change)),
    async ready() {
      await table.entitlements?.ready?.();
      if (hasUnsettledEntitlements(table)) await exclusive('apply entitlements', () => settle());
      begin();
      return report();
    },
    later: (work, when) => track(when ? Promise.race([when, wanted]).then(work) : work()),
    isLoading: () => loading.size > 0,
    async idle() {
      beginLoads();
      do {
        await exclusive('wait until it is idle', () => Promise.resolve());
        await Promise.allSettled(loading);
        await untilStarted(table.running);
      } while (loading.size > 0);
    },
  };
}

/** Imports the plugins concurrently. A slow third-party plugin continues to load in the background. */
async function importAll(records: readonly PluginRecord[], parts: KernelParts): Promise<void> {
  let last = performance.now();
  const importTimed = async (record: PluginRecord): Promise<void> => {
    await importOne(record, parts);
    // Imports share one thread, so each is charged with the time since the previous import ended.
    const now = performance.now();
    record.importMs = now - last;
    last = now;
  };
  const works: Promise<void>[] = [];
  for (const record of records) {
    const work = importTimed(record);
    works.push(work);
    if (isThirdParty(record)) await Promise.race([work, delay(besideMs)]);
  }
  await Promise.all(works);
}

/** Imports one plugin. Never rejects: a failure is stored in the record. */
async function importOne(record: PluginRecord, { intercept, limitMs }: KernelParts): Promise<void> {
  const { name, entry } = record;
  if (entry.off !== undefined) return;
  const read = async (): Promise<ReturnType<typeof checkModule>> => checkModule(name, await entry.load());
  try {
    const work = intercept(name, 'load', read, isThirdParty(record))();
    const late = (): Error => kernelError('PLUGIN_TIMEOUT', { plugin: name, step: 'import', ms: limitMs });
    Object.assign(record, isThirdParty(record) ? await withTimeout(work, limitMs, late) : await work);
  } catch (cause) {
    const isOwn = codeOf(cause)?.startsWith('KRN_ERR_') === true;
    record.fault = isOwn ? (cause as KernelError) : kernelError('PLUGIN_IMPORT', { plugin: name, why: messageOf(cause) }, cause);
  }
}

/** Adds the records; of two plugins with the same name, the later one fails, with both paths in the message. */
function admit(known: PluginRecord[], added: readonly PluginRecord[]): void {
  const names = new Map(known.map((one) => [one.name, one]));
  for (const record of added) {
    const { name, place } = record;
    const first = names.get(name);
    // Ignores the settings and services of the rejected plugin.
    if (first)
      Object.assign(record, {
        module: undefined,
        manifest: { name },
        fault: kernelError('PLUGIN_DUPLICATE', { plugin: name, first: first.place, second: place }),
      });
    else names.set(name, record);
    known.push(record);
  }
  known.sort(byPrecedence);
}
