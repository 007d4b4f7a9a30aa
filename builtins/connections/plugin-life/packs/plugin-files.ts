// Selects the files of a plugin folder to install: excludes tests, hidden files, and source files if built files exist.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { collectFiles } from '#lib/collect-files';
import { failure } from '#lib/errors';
import { isThere } from '#lib/files';
import { isRecord, jsonOf } from '#lib/values';
import { sha256 } from '#lib/hash';
import type { FileRow } from 'agent-harness/builtins/connections/plugin-life';
import { checkFiles, type Files } from './tar.ts';

const leftOut = /(^|\/)\.|\.test\.m?js$|\.turn\.json$|(?<!\.d)\.ts$|(^|\/)tsconfig\.json$/;

/**
 * Resolves with the plugin's files by path. Rejects with a readable message if the plugin cannot be distributed.
 * @param path path of the plugin's folder, of its index file, or of a single-file plugin
 */
export async function pluginFiles(path: string): Promise<Map<string, Uint8Array>> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw failure(`${path} does not exist.`);
  if (found.isDirectory() || /^index\.m?js$/.test(basename(path))) return filesOf(found.isDirectory() ? path : dirname(path));
  if (!/\.m?js$/.test(path)) throw failure(`${path} is not a plugin: a plugin is a .mjs or .js file, or a folder with an index.`);
  if (await isThere(path.replace(/\.m?js$/, ''))) throw failure(`The files beside ${path} would be missing. Make it a folder with an index.mjs.`);
  const files = new Map([[path.endsWith('.mjs') ? 'index.mjs' : 'index.js', await readFile(path)]]);
  checkFiles(files);
  return files;
}

async function filesOf(folder: string): Promise<Map<string, Uint8Array>> {
  if (await isThere(`${folder}/node_modules`))
    throw failure(`${folder} has a node_modules; bundle the dependencies of the plugin into its own files, because the server installs no packages.`);
  // Looks for an entry file first, because the path may be the root of a disk.
  const entries = await Promise.all(['index.mjs', 'index.js'].map((name) => isThere(`${folder}/${name}`)));
  entryOf(new Map(['index.mjs', 'index.js'].filter((_, at) => entries[at]).map((name) => [name, true])));
  const collected = await collectFiles(folder, ['']);
  const wanted = collected.leftOut.find((sentence) => !leftOut.test(sentence.split(' ', 1).join()));
  const fault = collected.fault ?? wanted;
  if (fault !== undefined) throw failure(fault);
  const files = new Map(collected.files.flatMap(({ path, bytes }) => (leftOut.test(path) ? [] : [[path, bytes] as const])));
  checkFiles(files);
  return files;
}

/** Returns the file to load. Throws an error with a readable message if there is none. */
export function entryOf(files: ReadonlyMap<string, unknown>): string {
  const entry = ['index.mjs', 'index.js'].find((name) => files.has(name));
  if (entry === undefined) throw failure('It has no index.mjs or index.js at its top level, which is the file that is loaded.');
  return entry;
}

/** Returns the parsed `package.json`; an empty object if there is none. */
export function packageOf(files: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, unknown>> {
  const parsed = jsonOf(Buffer.from(files.get('package.json') ?? '').toString('utf8'));
  return isRecord(parsed) ? parsed : {};
}

/** Returns the rows of the files, sorted by path. */
export function rowsOf(files: Files): readonly FileRow[] {
  return [...files]
    .map(([path, content]) => ({ path, sha256: sha256(content), size: content.byteLength }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** SHA-256 in hex over the names and hashes of all files; equal content has an equal digest. */
export function digestOf(rows: readonly FileRow[]): string {
  return sha256(rows.map((row) => `${row.sha256} ${row.path}`).join('\n'));
}
