// Loads the plugins of folders, and loads them again: what is unchanged goes on, and what does not work gives way to what ran before it.
import { pathToFileURL } from 'node:url';
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

/** A folder of plugins, and what is special about them. */
export interface FolderSource {
  readonly origin: PluginOrigin;
  readonly dir: string;
  /** Only these names. */
  readonly include?: readonly string[];
  /** Whether a folder without an index is something else than a plugin that is broken. */
  readonly isOther?: (path: string) => boolean;
  /** Called before a file is imported: a sentence for why it must not be, and how to mend that. */
  readonly refuse?: (path: string) => string | undefined | Promise<string | undefined>;
  /** Called for each plugin that is found, before its file is read. Contract: fast, and must not throw. */
  readonly instead?: (name: string, path: string) => Instead | undefined;
  /** In place of `import()`. The stamp is another one for each content of the file. */
  readonly importFile?: (path: string, stamp: string) => Promise<unknown>;
  /**
   * Called once for all files that are to be imported: modules that stand for some of them, which are not read then. No code of such
   * a plugin runs while it registers. Contract: must not reject, and returns none that {@link refuse} has a sentence for.
   */
  readonly known?: (files: readonly PluginFile[]) => Promise<ReadonlyMap<string, PluginModule<never>>>;
  /** What else than the file decides what it is; whenever it changes, the file is read again. */
  readonly stampOf?: (path: string) => string;
}

/** What is otherwise with a plugin than its file alone would say. */
export interface Instead {
  /** Another text for each content that is to count as changed. */
  readonly stamp: string;
  /** It is not imported, and disabled for this reason. */
  readonly off?: string;
  /** A sentence among the warnings of its row. */
  readonly note?: string;
}

export interface ReloadOptions {
  /** Only these plugins of the folders are read again; the others go on, untouched. */
  readonly only?: readonly string[];
  readonly disabled?: DisabledPlugins;
}

export interface PluginFolders {
  /**
   * What is new starts, what changed or failed starts anew, what is gone is unloaded; what changed and does not work gives way to what
   * it was before, with a warning.
   */
  load(sources: readonly FolderSource[], options?: ReloadOptions): Promise<LoadReport>;
}

/** A plugin as it was found in a folder. */
interface Found {
  readonly file: PluginFile;
  readonly source: FolderSource;
  readonly stamp: string;
  readonly instead: Instead | undefined;
}
/** A plugin as it was loaded. */
interface Loaded {
  readonly plugin: PreparedPlugin;
  readonly dir: string;
  /** The newest that was tried. */
  stamp: string;
  readonly instead: Instead | undefined;
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
    const isSame = (before: Loaded, next: Found): boolean =>
      rows.get(before.plugin.place)?.state !== 'failed' && before.plugin.place === next.file.path && before.stamp === next.stamp;
    const kept = former.filter((before) => found.some((next) => isSame(before, next)));
    const fresh = await prepareAll(found.filter((next) => !kept.some((before) => isSame(before, next))));
    const replaced = fresh.flatMap((next) => {
      const before = former.find(({ plugin }) => plugin.place === next.plugin.place && rows.get(plugin.place)?.state === 'active');
      return before ? [{ before, next }] : [];
    });
    const broken = replaced.filter(({ next }) => next.plugin.fault !== undefined);
    for (const one of broken) markStale(one, messageOf(one.next.plugin.fault));
    const staying = new Set([...kept, ...broken.map(({ before }) => before)]);
    const added = fresh.filter((next) => !broken.some((one) => one.next === next));
    const change = { add: added.map(({ plugin }) => plugin), remove: former.flatMap((one) => (staying.has(one) ? [] : [one.plugin])) };
    const first = await plugins.reload({ ...change, ...(disabled ? { disabled } : {}) });
    const back = await putBack(
      first,
      replaced.filter((one) => !broken.includes(one)),
    );
    const now = [...staying, ...added.map((next) => back.find((one) => one.next === next)?.before ?? next)];
    for (const { dir } of sources) {
      const others = (loadedOf.get(dir) ?? []).filter((one) => !former.includes(one));
      loadedOf.set(dir, [...others, ...now.filter((one) => one.dir === dir)]);
    }
    announce(replaced, [...broken, ...back], fresh);
    return control.report();
  }

  /** Registers again what ran before, where what came after it does not. */
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
      const wanted = own.filter(({ file, instead }) => file.why === undefined && instead?.off === undefined);
      const known = wanted.length === 0 ? undefined : await source.known?.(wanted.map(({ file }) => file));
      const entries = own.map((one) => toEntry(one, known?.get(one.file.path)));
      const handles = await plugins.prepare({ origin: source.origin, entries });
      prepared.push(...own.flatMap(({ stamp, instead }, index) => (handles[index] ? [{ plugin: handles[index], dir: source.dir, stamp, instead }] : [])));
    }
    return prepared;
  }

  function announce(replaced: readonly Replacement[], stale: readonly Replacement[], fresh: readonly Loaded[]): void {
    for (const one of replaced) {
      const { plugin, instead } = one.next;
      if (stale.includes(one))
        emitter.emit('error', { source: 'plugin', plugin: plugin.name, code: 'KRN_ERR_PLUGIN_STALE', message: one.before.plugin.note ?? '' });
      else log('info', plugin.name, instead?.off ?? instead?.note ?? 'runs what its file holds now');
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

/** From now on it stands for what its file holds, until that changes again. */
function markStale({ before, next }: Replacement, why: string): void {
  before.stamp = next.stamp;
  before.plugin.note = kernelError('PLUGIN_STALE', { plugin: before.plugin.name, why }).message;
}

const isBroken = (row: PluginReport | undefined): boolean => row?.state === 'failed' || row?.state === 'unmet';

async function findIn(source: FolderSource, isMeant: (one: { readonly name: string }) => boolean): Promise<Found[]> {
  const files = (await findPluginFiles(source.dir)).filter(({ path, why }) => why === undefined || source.isOther?.(path) !== true);
  return files
    .filter((file) => isMeant(file) && (source.include?.includes(file.name) ?? true))
    .map((file) => {
      const instead = source.instead?.(file.name, file.path);
      const stamp = `${fileStamp(file.path)}${instead?.stamp ?? ''}${source.stampOf?.(file.path) ?? ''}`;
      return { file, source, stamp, instead };
    });
}

function toEntry({ file, source, stamp, instead = { stamp: '' } }: Found, known: PluginModule<never> | undefined): PluginEntry {
  const read = async (): Promise<unknown> => {
    if (known) return known;
    const why = await source.refuse?.(file.path);
    if (why !== undefined) throw kernelError('PLUGIN_REFUSED', { plugin: file.name, why });
    return source.importFile ? source.importFile(file.path, stamp) : import(pathToFileURL(file.path).href);
  };
  const { off, note } = instead;
  return { ...entryOf(file, read), ...(off === undefined ? {} : { off }), ...(note === undefined ? {} : { note }), ...(known ? { isKnown: true } : {}) };
}
