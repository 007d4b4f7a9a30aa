// Loads the plugins of folders, and loads them again: unchanged ones go on, and a version that does not work leaves the one before it running.
import { entryOf, findPluginFiles, kernelError, messageOf } from 'agent-harness/kernel';
import type {
  DisabledPlugins,
  Kernel,
  LoadReport,
  PluginEntry,
  PluginFile,
  PluginModule,
  PluginOrigin,
  PluginReport,
  PreparedPlugin,
} from 'agent-harness/kernel';
import { createSerialQueues } from 'agent-harness/lib/async';
import { fileStamp } from 'agent-harness/lib/files';

/** A module that stands for a file that is not read. */
export interface KnownPlugin {
  readonly module: PluginModule<never>;
  /** Stamp of all files of the plugin. */
  readonly stamp: string | undefined;
}

/** A folder of plugins. */
export interface FolderSource {
  readonly origin: PluginOrigin;
  readonly dir: string;
  /** Only these names. */
  readonly include?: readonly string[];
  /** Whether a folder without an index is something else than a broken plugin. */
  readonly isOther?: (path: string) => boolean;
  /** Called for each plugin that is found, before its file is read: why it is disabled. Contract: must not throw. */
  readonly off?: (file: PluginFile) => string | undefined;
  /** Called before a file is imported: why it must not be, and what to do. */
  readonly refuse?: (path: string) => string | undefined | Promise<string | undefined>;
  /** In place of `import()`. @param version another text for each content of the file */
  readonly importFile: (file: PluginFile, version: string) => Promise<unknown>;
  /** Called once for all files that are to be imported. Contract: must not reject, and returns none that {@link refuse} has a reason for. */
  readonly known?: (files: readonly PluginFile[]) => Promise<ReadonlyMap<string, KnownPlugin>>;
  /** Further state that decides what a plugin is: after a change of this text its file is read again. */
  readonly stampOf?: (path: string) => string;
}

export interface ReloadOptions {
  /** Only these plugins of the folders are read again; the others go on. */
  readonly only?: readonly string[];
  readonly disabled?: DisabledPlugins;
}

export interface PluginFolders {
  /** Starts new plugins, restarts changed and failed ones, unloads deleted ones. Where a changed one does not work, the running one goes on, with a warning. */
  load(sources: readonly FolderSource[], options?: ReloadOptions): Promise<LoadReport>;
}

/** A plugin as it was found in a folder. */
interface Found {
  readonly file: PluginFile;
  readonly source: FolderSource;
  readonly version: string;
  readonly off: string | undefined;
}
/** A plugin as it was loaded. */
interface Loaded {
  readonly plugin: PreparedPlugin;
  readonly dir: string;
  /** The newest one that was tried. */
  version: string;
  readonly off: string | undefined;
}
interface Replacement {
  readonly before: Loaded;
  readonly next: Loaded;
}

export function createPluginFolders({ plugins, control, emitter, log }: Kernel): PluginFolders {
  const loadedOf = new Map<string, readonly Loaded[]>();
  const queues = createSerialQueues<string>();

  async function load(sources: readonly FolderSource[], { only, disabled }: ReloadOptions = {}): Promise<LoadReport> {
    const isMeant = ({ name }: { readonly name: string }): boolean => only?.includes(name) ?? true;
    const found = (await Promise.all(sources.map((source) => findIn(source, isMeant)))).flat();
    const former = sources.flatMap(({ dir }) => loadedOf.get(dir) ?? []).filter(({ plugin }) => isMeant(plugin));
    const rows = new Map(control.report().plugins.map((row) => [row.place, row]));
    const nextOf = new Map(found.map((next) => [next.file.path, next]));
    const isKept = ({ plugin, version }: Loaded): boolean => rows.get(plugin.place)?.state !== 'failed' && nextOf.get(plugin.place)?.version === version;
    const kept = new Map(former.filter(isKept).map((before) => [before.plugin.place, before]));
    const fresh = await prepareAll(found.filter(({ file }) => !kept.has(file.path)));
    const replaced = fresh.flatMap((next) => {
      const before = former.find(({ plugin }) => plugin.place === next.plugin.place && rows.get(plugin.place)?.state === 'active');
      return before ? [{ before, next }] : [];
    });
    const broken = replaced.filter(({ next }) => next.plugin.fault !== undefined);
    for (const one of broken) markStale(one, messageOf(one.next.plugin.fault));
    const staying = new Set([...kept.values(), ...broken.map(({ before }) => before)]);
    const added = fresh.filter((next) => !broken.some((one) => one.next === next));
    const change = { add: added.map(({ plugin }) => plugin), remove: former.flatMap((one) => (staying.has(one) ? [] : [one.plugin])) };
    const first = await plugins.reload({ ...change, ...(disabled ? { disabled } : {}) });
    const back = await putBack(
      first,
      replaced.filter((one) => !broken.includes(one)),
    );
    const now = [...staying, ...added.map((next) => back.find((one) => one.next === next)?.before ?? next)];
    for (const { dir } of sources) {
      const others = (loadedOf.get(dir) ?? []).filter(({ plugin }) => !isMeant(plugin));
      loadedOf.set(dir, [...others, ...now.filter((one) => one.dir === dir)]);
    }
    announce(replaced, [...broken, ...back], fresh);
    return control.report();
  }

  /** Registers the running version again where the next one does not work. */
  async function putBack(report: LoadReport, replaced: readonly Replacement[]): Promise<readonly Replacement[]> {
    const rows = new Map(report.plugins.map((row) => [row.place, row]));
    const back = replaced.filter((one) => isBroken(rows.get(one.next.plugin.place)));
    for (const one of back) markStale(one, rows.get(one.next.plugin.place)?.reason ?? 'it failed.');
    if (back.length > 0) await plugins.reload({ add: back.map(({ before }) => before.plugin), remove: back.map(({ next }) => next.plugin) });
    return back;
  }

  async function prepareAll(found: readonly Found[]): Promise<Loaded[]> {
    const prepared: Loaded[] = [];
    for (const source of new Set(found.map((one) => one.source))) {
      const own = found.filter((one) => one.source === source);
      const wanted = own.flatMap(({ file, off }) => (file.why === undefined && off === undefined ? [file] : []));
      const known = wanted.length === 0 ? undefined : await source.known?.(wanted);
      const entries = own.map((one) => toEntry(one, known?.get(one.file.path)?.module));
      const handles = await plugins.prepare({ origin: source.origin, entries });
      prepared.push(...own.flatMap(({ version, off }, index) => (handles[index] ? [{ plugin: handles[index], dir: source.dir, version, off }] : [])));
    }
    return prepared;
  }

  function announce(replaced: readonly Replacement[], stale: readonly Replacement[], fresh: readonly Loaded[]): void {
    for (const one of replaced) {
      const { plugin, off } = one.next;
      if (stale.includes(one))
        emitter.emit('error', { source: 'plugin', plugin: plugin.name, code: 'KRN_ERR_PLUGIN_STALE', message: one.before.plugin.note ?? '' });
      else log('info', plugin.name, off ?? 'runs what its file holds now');
    }
    const places = new Set(fresh.map(({ plugin }) => plugin.place));
    for (const { name, state, place, code = '', reason = '' } of control.report().plugins)
      if (state === 'failed' && places.has(place)) emitter.emit('error', { source: 'plugin', plugin: name, code, message: reason });
  }

  return {
    load(sources, options) {
      const inOrder = sources.reduceRight<() => Promise<LoadReport>>(
        (work, { dir }) =>
          () =>
            queues.run(dir, work),
        () => load(sources, options),
      );
      return inOrder();
    },
  };
}

/** The running version stands for the file until the file changes again. */
function markStale({ before, next }: Replacement, why: string): void {
  before.version = next.version;
  before.plugin.note = kernelError('PLUGIN_STALE', { plugin: before.plugin.name, why }).message;
}

const isBroken = (row: PluginReport | undefined): boolean => row?.state === 'failed' || row?.state === 'unmet';

async function findIn(source: FolderSource, isMeant: (one: { readonly name: string }) => boolean): Promise<Found[]> {
  const files = (await findPluginFiles(source.dir)).filter(({ path, why }) => why === undefined || source.isOther?.(path) !== true);
  return files
    .filter((file) => isMeant(file) && (source.include?.includes(file.name) ?? true))
    .map((file) => {
      const off = source.off?.(file);
      return { file, source, off, version: `${fileStamp(file.path)}${off ?? ''}${source.stampOf?.(file.path) ?? ''}` };
    });
}

function toEntry({ file, source, version, off }: Found, known: PluginModule<never> | undefined): PluginEntry {
  const read = async (): Promise<unknown> => {
    if (known) return known;
    const why = await source.refuse?.(file.path);
    if (why !== undefined) throw kernelError('PLUGIN_REFUSED', { plugin: file.name, why });
    return source.importFile(file, version);
  };
  return { ...entryOf(file, read), ...(off === undefined ? {} : { off }), ...(known ? { isKnown: true } : {}) };
}
