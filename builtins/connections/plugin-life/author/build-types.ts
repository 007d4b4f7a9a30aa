// Compiles a plugin's TypeScript: removes only the types, preserves line numbers, and writes each output file beside its source.
import type { Dirent } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { BuiltFiles } from 'agent-harness/builtins/connections/plugin-life';
import { messageOf } from '#lib/errors';
import { sha256 } from '#lib/hash';

/** Maximum depth of folders below the plugin's folder. */
const mostDepth = 8;

/** Returns the text of the output. The comment that names the source is on the first line, so that line numbers match. */
export function builtFrom(source: string, text: string, code: string): string {
  return `${markOf(source, text)} ${code}`;
}

/** This text must not change: it also identifies files that earlier versions wrote. */
const markOf = (source: string, text: string): string => `/* Made of ${source} (${sha256(text).slice(0, 16)}): change that. */`;

/** Returns whether this compiler wrote the output; output of other tools, such as a bundler, is left unchanged. */
const isOurs = (code: string): boolean => code === '' || /^\/[/*] Made of /.test(code);

/**
 * Compiles each changed `x.ts` of a plugin to `x.mjs`. A file with a syntax error is reported and keeps its previous output.
 * @param place folder of the plugin, or its source or output file
 */
export async function buildTypes(place: string): Promise<BuiltFiles> {
  const isFolder = (await stat(place).catch(() => undefined))?.isDirectory() === true;
  const folder = isFolder ? place : dirname(place);
  const made: string[] = [];
  const faults: { file: string; message: string }[] = [];
  for (const path of isFolder ? await sourcesIn(place, mostDepth) : await sourcesOf(place)) {
    const name = relative(folder, path);
    const target = path.replace(/\.ts$/, '.mjs');
    const text = await readFile(path, 'utf8');
    const before = await readFile(target, 'utf8').catch(() => '');
    if (before.startsWith(markOf(name, text)) || !isOurs(before)) continue;
    try {
      await writeFile(target, builtFrom(name, text, await withoutTypes(text)));
      made.push(relative(folder, target));
    } catch (fault) {
      faults.push(faultAt(path, fault));
    }
  }
  return { made, faults };
}

/** Returns the sources of a single-file plugin: the `.ts` file, and the sources in the folder of the same name. */
async function sourcesOf(file: string): Promise<string[]> {
  const own = file.replace(/\.(?:[cm]?js|ts)$/, '');
  const isSource = (await stat(`${own}.ts`).catch(() => undefined))?.isFile() === true;
  return [...(isSource ? [`${own}.ts`] : []), ...(await sourcesIn(own, mostDepth).catch(() => []))];
}

async function sourcesIn(folder: string, depth: number): Promise<string[]> {
  const isWanted = ({ name }: Dirent): boolean => !name.startsWith('.') && name !== 'node_modules';
  const entries = (await readdir(folder, { withFileTypes: true })).filter(isWanted);
  const below = entries.filter((entry) => entry.isDirectory() && depth > 0).map(({ name }) => sourcesIn(join(folder, name), depth - 1));
  const own = entries.filter((entry) => entry.isFile() && /(?<!\.d)\.ts$/.test(entry.name)).map(({ name }) => join(folder, name));
  return [...own, ...(await Promise.all(below)).flat()].sort();
}

async function withoutTypes(text: string): Promise<string> {
  const { code } = (await import('sucrase')).transform(text, { transforms: ['typescript'], keepUnusedImports: true, disableESTransforms: true });
  return code.replace(/(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.mjs$2');
}

/** Returns the location of a syntax error, which the parser appends as `… (line:column)`. */
function faultAt(path: string, fault: unknown): BuiltFiles['faults'][number] {
  const message = messageOf(fault);
  const place = /\s*\((\d+:\d+)\)$/.exec(message);
  return place ? { file: `${path}:${place[1]}`, message: message.slice(0, place.index).replace(/^Error transforming \S+: /, '') } : { file: path, message };
}
