// Sources → candidates. A directory is read one level deep: `*.mjs` and `*.js`, kebab-case names, sorted.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PluginManifest, PluginModule, PluginOrigin, PluginSource } from './contracts.ts';
import { kernelError } from './errors.ts';

/** A plugin before and after it is imported. */
export interface Candidate {
  readonly name: string;
  readonly origin: PluginOrigin;
  /** Where it was found, for messages. */
  readonly place: string;
  readonly load: () => Promise<unknown>;
  module?: PluginModule<never>;
  manifest: PluginManifest;
  importMs: number;
  /** Why it cannot be used; kept until its settings change. */
  fault?: unknown;
}

export const originOrder: Readonly<Record<PluginOrigin, number>> = { platform: 0, builtin: 1, bundle: 2, user: 3 };
const namePattern = /^[a-z][a-z0-9-]*$/;

/** Contract: a directory that is not there is empty; any other read error rejects. */
export async function discover(sources: readonly PluginSource[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const source of sources) {
    if ('modules' in source) {
      for (const [name, module] of Object.entries(source.modules)) {
        found.push(candidate(name, source.origin, `module ${name}`, () => Promise.resolve(module)));
      }
      continue;
    }
    for (const file of await listFiles(source.dir)) {
      const name = file.replace(/\.m?js$/, '');
      if (source.include && !source.include.includes(name)) continue;
      const path = join(source.dir, file);
      found.push(candidate(name, source.origin, path, () => importFile(name, path, source.refuse)));
    }
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

async function importFile(plugin: string, path: string, refuse?: (path: string) => Promise<string | undefined>): Promise<unknown> {
  const why = await refuse?.(path);
  if (why !== undefined) throw kernelError('PLUGIN_REFUSED', { plugin, why });
  return import(pathToFileURL(path).href);
}

async function listFiles(dir: string): Promise<string[]> {
  try {
    const files = await readdir(dir);
    return files.filter((file) => /\.m?js$/.test(file) && namePattern.test(file.replace(/\.m?js$/, '')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw cause;
  }
}
