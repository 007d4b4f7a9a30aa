// Sources → candidates. A directory is read one level deep: `*.mjs` and `*.js`, kebab-case names, sorted.
import { existsSync, statSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  KernelError,
  KernelOptions,
  PluginManifest,
  PluginModule,
  PluginOrigin,
  PluginSource,
  DirectorySource,
  Instead,
  OutsideCode,
} from './contracts.ts';
import { kernelError } from './errors.ts';

/** A plugin before and after it is imported. */
export interface Candidate {
  readonly name: string;
  readonly origin: PluginOrigin;
  /** Where it was found, for messages. */
  readonly place: string;
  /** The source it is from, where that is a directory. */
  readonly dir?: string | undefined;
  /** What would be imported; left out where nothing can be. */
  readonly file?: string;
  readonly load: () => Promise<unknown>;
  /** What its source wants otherwise. */
  readonly instead?: Instead | undefined;
  /** Another one for each content of the file, where it may change; the newest that was tried. */
  stamp?: string | undefined;
  /** What its file holds now does not work; this is what it held before. */
  stale?: KernelError;
  module?: PluginModule<never>;
  /** Its module is its source's own: nothing of the plugin runs while it registers. */
  isKnown?: true;
  manifest: PluginManifest;
  importMs: number;
  /** Why it cannot be used; kept until its settings change. */
  fault?: unknown;
}

const originOrder: Readonly<Record<PluginOrigin, number>> = { platform: 0, builtin: 1, bundle: 2, user: 3 };

/** It did not come with the product, so its faults are its own. */
export const isOutside = ({ origin }: Pick<Candidate, 'origin'>): boolean => originOrder[origin] >= originOrder.bundle;

/** It stays on, whoever wants it off. */
export const isFixed = (candidate: Pick<Candidate, 'origin' | 'manifest'>): boolean =>
  candidate.origin === 'platform' || (candidate.manifest.fixed === true && !isOutside(candidate));

export type OwnCode = <F extends (...args: never[]) => unknown>(code: F, what: OutsideCode) => F;

/** Makes a plugin's functions run inside of `around`, where they are to. */
export function ownCode(plugin: Pick<Candidate, 'name' | 'origin'>, around: KernelOptions['around']): OwnCode {
  if (!around || !isOutside(plugin)) return (code) => code;
  return (code, what) => ((...args: never[]) => around(plugin.name, () => code(...args), what)) as typeof code;
}

/** Contract: a directory that is not there is empty; any other read error, and a name to include that is not there, rejects. */
export async function discover(sources: readonly PluginSource[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const source of sources) {
    if ('modules' in source) {
      for (const [name, module] of Object.entries(source.modules)) {
        found.push(candidate(name, source.origin, `module ${name}`, () => Promise.resolve(module)));
      }
      continue;
    }
    const entries = await listEntries(source.dir);
    const seen = new Set<string>();
    const files = new Set(entries.flatMap(({ name }) => (/\.m?js$/.test(name) ? name.replace(/\.m?js$/, '') : [])));
    for (const entry of entries) {
      // What a plugin that is a file keeps beside it.
      if (entry.isDirectory() && files.has(entry.name)) continue;
      const { name, path, why } = readEntry(source.dir, entry) ?? {};
      if (name === undefined || path === undefined || (why !== undefined && source.isOther?.(path) === true)) continue;
      seen.add(name);
      if (source.include?.includes(name) === false) continue;
      const instead = source.instead?.(name, path);
      const stamp = isOutside(source) ? `${stampOf(path)}${instead?.stamp ?? ''}${source.stampOf?.(path) ?? ''}` : undefined;
      const load = (): Promise<unknown> =>
        why === undefined ? importFile(name, path, stamp, source) : Promise.reject(kernelError('PLUGIN_INVALID', { plugin: name, why }));
      found.push({ ...candidate(name, source.origin, path, load), dir: source.dir, stamp, instead, ...(why === undefined ? { file: path } : {}) });
    }
    const plugin = source.include?.find((name) => !seen.has(name));
    if (plugin !== undefined) throw kernelError('PLUGIN_MISSING', { plugin, place: source.dir, known: [...seen].sort().join(', ') });
  }
  return found.sort(byOriginThenName);
}

/** The order of everything that has no other order: origin first, then name, then place. */
export function byOriginThenName(left: Candidate, right: Candidate): number {
  return originOrder[left.origin] - originOrder[right.origin] || compare(left.name, right.name) || compare(left.place, right.place);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function candidate(name: string, origin: PluginOrigin, place: string, load: () => Promise<unknown>): Candidate {
  return { name, origin, place, load, manifest: { name }, importMs: 0 };
}

async function importFile(plugin: string, path: string, stamp = '', { refuse, importFile: importAsTold }: DirectorySource): Promise<unknown> {
  const why = await refuse?.(path);
  if (why !== undefined) throw kernelError('PLUGIN_REFUSED', { plugin, why });
  return importAsTold ? importAsTold(path, stamp) : import(pathToFileURL(path).href);
}

function stampOf(path: string): string {
  const { mtimeMs, ctimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return [mtimeMs, ctimeMs, size].join('-');
}

/** What a directory holds that is or looks like a plugin, with the name it gets, or why it cannot be one. */
function readEntry(dir: string, entry: Dirent): { name: string; path: string; why?: string } | undefined {
  const { name: file } = entry;
  const path = join(dir, file);
  const words = file.replace(/\.m?js$/, '').replace(/([a-z\d])([A-Z])/g, '$1-$2');
  const name = words.replace(/[^A-Za-z\d]+/g, '-').toLowerCase();
  const why = /^[a-z][a-z\d-]*$/.test(name) ? {} : { why: 'its name must begin with a letter of a to z; rename it.' };
  if (/\.m?js$/.test(file)) return { name, path, ...why };
  const index = ['index.mjs', 'index.js'].map((one) => join(path, one)).find((one) => existsSync(one));
  if (index !== undefined) return { name, path: index, ...why };
  if (entry.isDirectory()) return { name, path, why: 'a folder needs an index.mjs or index.js.' };
  return /\.[cm]?[jt]sx?$/.test(file) ? { name, path, why: 'only .mjs and .js files are loaded; compile or rename it.' } : undefined;
}

async function listEntries(dir: string): Promise<Dirent[]> {
  try {
    return (await readdir(dir, { withFileTypes: true })).filter(({ name }) => !/^\.|^node_modules$|\.d\.[cm]?ts$/.test(name));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}
