// Finds the plugin files of a source. Reads a directory one level deep: `*.mjs` and `*.js` files with kebab-case names, sorted.
import { existsSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginEntry, PluginFile, PluginSource } from './types.ts';
import { codeOf, kernelError } from './errors.ts';

/** Lists the plugins of a source. A missing directory yields no entries. Rejects on any other read error, and if a name in `include` is missing. */
export async function entriesOf(source: PluginSource): Promise<readonly PluginEntry[]> {
  if ('entries' in source) return source.entries;
  if ('modules' in source) return Object.entries(source.modules).map(([name, module]) => ({ name, place: `module ${name}`, load: async () => module }));
  const found = await findPluginFiles(source.dir);
  const names = found.map(({ name }) => name).sort();
  const missing = source.include?.find((name) => !names.includes(name));
  if (missing !== undefined) throw kernelError('PLUGIN_MISSING', { plugin: missing, place: source.dir, known: names.join(', ') });
  return found.filter(({ name }) => source.include?.includes(name) ?? true).map((file) => entryOf(file, () => import(pathToFileURL(file.path).href)));
}

/** Creates the entry for a plugin file. @param load imports the file; not called for a file that cannot be a plugin */
export function entryOf({ name, path, why }: PluginFile, load: () => Promise<unknown>): PluginEntry {
  return { name, place: path, load: () => (why === undefined ? load() : Promise.reject(kernelError('PLUGIN_INVALID', { plugin: name, why }))) };
}

/** Returns the files and folders that are plugins or look like one. */
export async function findPluginFiles(dir: string): Promise<PluginFile[]> {
  const listed = await readdir(dir, { withFileTypes: true }).catch((fault: unknown) => (codeOf(fault) === 'ENOENT' ? [] : Promise.reject(fault)));
  const entries = listed.filter(({ name }) => !/^\.|^node_modules$|\.d\.[cm]?ts$/.test(name));
  const files = new Set(entries.flatMap(({ name }) => (/\.m?js$/.test(name) ? name.replace(/\.m?js$/, '') : [])));
  // A plugin file may have a data folder of the same name.
  return entries.flatMap((entry) => (entry.isDirectory() && files.has(entry.name) ? [] : (readEntry(dir, entry) ?? [])));
}

function readEntry(dir: string, entry: Dirent): PluginFile | undefined {
  const { name: file } = entry;
  const path = join(dir, file);
  const words = file.replace(/\.m?js$/, '').replace(/([a-z\d])([A-Z])/g, '$1-$2');
  const name = words.replace(/[^A-Za-z\d]+/g, '-').toLowerCase();
  const why = /^[a-z][a-z\d-]*$/.test(name) ? {} : { why: 'its name must begin with a letter from a to z; rename it.' };
  if (/\.m?js$/.test(file)) return { name, path, ...why };
  const index = ['index.mjs', 'index.js'].map((one) => join(path, one)).find((one) => existsSync(one));
  if (index !== undefined) return { name, path: index, ...why };
  if (entry.isDirectory()) return { name, path, why: 'a folder needs an index.mjs or index.js.' };
  return /\.[cm]?[jt]sx?$/.test(file) ? { name, path, why: 'only .mjs and .js files are loaded; compile or rename it.' } : undefined;
}
