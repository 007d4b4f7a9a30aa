// Loads and reloads plugins from folders. Unchanged plugins keep running, and if a new version fails, the previous version keeps running.
import { entryOf, findPluginFiles, kernelError, messageOf } from 'agent-harness/kernel';
import type { DisabledPlugins, Kernel, LoadReport, PluginEntry, PluginFile, PluginOrigin, PluginReport, PreparedPlugin } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
import { fileStamp } from '#lib/files';

export interface FolderSource {
  readonly origin: PluginOrigin;
  readonly dir: string;
  /** Returns whether to load a plugin of the folder; default: all. */
  readonly isWanted?: (file: PluginFile) => boolean;
  /** Returns whether a folder without an index file is something other than a broken plugin. */
  readonly isOther?: (path: string) => boolean;
  /** Called for each plugin before its file is read. Returns the reason if the plugin is disabled. Contract: must not throw. */
  readonly off?: (file: PluginFile) => string | undefined;
  /** Called before a file is imported. Returns the reason, with a remedy, if it must not be imported. */
  readonly refuse?: (path: string) => string | undefined | Promise<string | undefined>;
  /** Imports a plugin file instead of `import()`. @param version text that differs for each content of the file */
  readonly importFile: (file: PluginFile, version: string) => Promise<unknown>;
  /** Returns additional state of a plugin; when it changes, the file is read again. */
  readonly stampOf?: (file: PluginFile) => string;
}

export interface FolderLoad {
  /** Names of the only plugins to reload; the others keep running. */
  readonly only?: readonly string[];
  readonly disabled?: DisabledPlugins;
}

interface Found {
  readonly file: PluginFile;
  readonly source: FolderSource;
  readonly version: string;
  readonly off: string | undefined;
}
/** A loaded plugin, with the newest version that was tried. */
interface Loaded extends Found {
  readonly plugin: PreparedPlugin;
}

export type PluginFolders = ReturnType<typeof createPluginFolders>;

export function createPluginFolders({ plugins, control, emitter, log }: Kernel) {
  /** Plugins by path. */
  const loaded = new Map<string, Loaded>();
  const queues = createSerialQueues<string>();
  const rowAt = ({ file }: Found): PluginReport | undefined => control.report().plugins.find(({ place }) => place === file.path);

  async function load(sources: readonly FolderSource[], { only, disabled }: FolderLoad = {}): Promise<LoadReport> {
    const isMeant = ({ name }: PluginFile): boolean => only?.includes(name) ?? true;
    const found = (await Promise.all(sources.map((source) => findIn(source, isMeant)))).flat();
    const paths = new Set(found.map(({ file }) => file.path));
    const dirs = new Set(sources.map(({ dir }) => dir));
    const states = new Map(control.report().plugins.map(({ place, state }) => [place, state]));
    const before = new Map(loaded);
    const gone = [...before.values()].filter(({ file, source }) => dirs.has(source.dir) && isMeant(file) && !paths.has(file.path));
    const isChanged = ({ file, version }: Found): boolean => states.get(file.path) === 'failed' || before.get(file.path)?.version !== version;
    const fresh = await prepareAll(found.filter(isChanged));
    const runningOf = ({ file }: Found): Loaded | undefined => (states.get(file.path) === 'active' ? before.get(file.path) : undefined);
    /** Keeps the running version until the file changes again. */
    const stay = (next: Loaded, why: string): void => {
      const running = runningOf(next);
      if (!running) return;
      running.plugin.note = kernelError('PLUGIN_STALE', { plugin: running.plugin.name, why }).message;
      loaded.set(next.file.path, { ...running, version: next.version });
    };
    const broken = fresh.filter((next) => next.plugin.fault !== undefined && runningOf(next));
    const added = fresh.filter((next) => !broken.includes(next));
    const remove = [...gone, ...added.flatMap(({ file }) => before.get(file.path) ?? [])];
    for (const { file } of gone) loaded.delete(file.path);
    for (const next of added) loaded.set(next.file.path, next);
    for (const next of broken) stay(next, messageOf(next.plugin.fault));
    await plugins.reload({ add: added.map(pluginOf), remove: remove.map(pluginOf), ...(disabled ? { disabled } : {}) });
    const failed = added.filter((next) => runningOf(next) && ['failed', 'unmet'].includes(rowAt(next)?.state ?? ''));
    for (const next of failed) stay(next, rowAt(next)?.reason ?? 'it failed.');
    // Registers the running versions of the failed plugins again.
    const back = failed.flatMap((next) => runningOf(next) ?? []);
    if (back.length > 0) await plugins.reload({ add: back.map(pluginOf), remove: failed.map(pluginOf) });
    for (const next of added) if (runningOf(next) && !failed.includes(next)) log('info', next.plugin.name, next.off ?? 'runs its new version');
    for (const { plugin } of [...broken, ...failed].flatMap((next) => runningOf(next) ?? []))
      emitter.emit('error', { source: 'plugin', plugin: plugin.name, code: 'KRN_ERR_PLUGIN_STALE', message: plugin.note ?? '' });
    for (const next of fresh) {
      const { name, state, code = '', reason = '' } = rowAt(next) ?? {};
      if (name !== undefined && state === 'failed') emitter.emit('error', { source: 'plugin', plugin: name, code, message: reason });
    }
    return control.report();
  }

  async function prepareAll(found: readonly Found[]): Promise<Loaded[]> {
    const prepared: Loaded[] = [];
    for (const source of new Set(found.map((one) => one.source))) {
      const own = found.filter((one) => one.source === source);
      const handles = await plugins.prepare({ origin: source.origin, entries: own.map(toEntry) });
      prepared.push(...own.flatMap((one, index) => (handles[index] ? [{ ...one, plugin: handles[index] }] : [])));
    }
    return prepared;
  }

  return {
    /**
     * Starts new plugins, restarts changed and failed ones, and unloads deleted ones. If a changed plugin fails, its running version is kept, with a warning.
     */
    load(sources: readonly FolderSource[], options?: FolderLoad): Promise<LoadReport> {
      let work = (): Promise<LoadReport> => load(sources, options);
      for (const { dir } of sources) {
        const inner = work;
        work = () => queues.run(dir, inner);
      }
      return work();
    },
  };
}

const pluginOf = ({ plugin }: Loaded): PreparedPlugin => plugin;

async function findIn(source: FolderSource, isMeant: (file: PluginFile) => boolean): Promise<Found[]> {
  const files = (await findPluginFiles(source.dir)).filter(({ path, why }) => why === undefined || source.isOther?.(path) !== true);
  return files
    .filter((file) => isMeant(file) && (source.isWanted?.(file) ?? true))
    .map((file) => {
      const off = source.off?.(file);
      return { file, source, off, version: `${fileStamp(file.path)}${off ?? ''}${source.stampOf?.(file) ?? ''}` };
    });
}

function toEntry({ file, source, version, off }: Found): PluginEntry {
  const read = async (): Promise<unknown> => {
    const why = await source.refuse?.(file.path);
    if (why !== undefined) throw kernelError('PLUGIN_REFUSED', { plugin: file.name, why });
    return source.importFile(file, version);
  };
  return { ...entryOf(file, read), ...(off === undefined ? {} : { off }) };
}
