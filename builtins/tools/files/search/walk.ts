// Walks through a folder in path order, without links, `.git`, and entries that .gitignore excludes.
import type { Dirent } from 'node:fs';
import { sep } from 'node:path';
import { createSlices } from '#lib/event-loop';
import { noRules, rulesFor, type IgnoreRules } from './ignore-rules.ts';

export interface WalkEntry {
  /** Absolute path. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Depth of the entry; 1 for direct children of the folder. */
  readonly depth: number;
}

export interface WalkOptions {
  /** Folder above which ignore rules apply only if it is in a repository. */
  readonly root: string;
  readonly showIgnored: boolean;
  /** Path of the product's home folder, which is never entered or listed. */
  readonly forbidden: string;
  readonly maxDepth: number;
  /** Returns whether a non-folder entry is requested; other entries are not reported, whether ignored or not. */
  wants(path: string): boolean;
  /** Lists exactly this folder, never the target of a link. */
  list(folder: string): readonly Dirent[];
  /** Returns the text of a regular file of at most `maxBytes`; `undefined` otherwise. */
  readSmall(path: string, maxBytes: number): string | undefined;
  readonly signal: AbortSignal;
}

export interface Walk {
  /** Number of entries that .gitignore excludes; the content of an ignored folder is not counted. */
  readonly ignored: number;
  /** Whether the limit was reached. */
  readonly isCut: boolean;
}

const maxEntries = 300_000;

interface Folder {
  readonly path: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  readonly found: readonly Found[];
  next: number;
}

interface Found {
  readonly name: string;
  readonly kind: WalkEntry['kind'];
  /** Sort key that is equivalent to the whole path. */
  readonly key: string;
}

/**
 * Reports each entry, a folder before its content, sorted by the whole path. Skips unreadable
 * folders.
 *
 * @param take receives an entry; returns false to stop
 */
export async function walk(folder: string, options: WalkOptions, take: (entry: WalkEntry) => boolean): Promise<Walk> {
  let ignored = 0;
  let entries = 0;
  const slices = createSlices();
  const rulesHere = options.showIgnored ? noRules : rulesFor(folder, options.root, options.readSmall);
  const way: Folder[] = [{ path: folder.endsWith(sep) ? folder : folder + sep, depth: 1, rules: rulesHere, found: readFolder(folder, options), next: 0 }];
  for (let current = way.at(-1); current; current = way.at(-1)) {
    const found = current.found[current.next++];
    if (!found) {
      way.pop();
      continue;
    }
    const { name, kind } = found;
    const { depth, rules } = current;
    const path = current.path + name;
    const isFolder = kind === 'folder';
    // These folders are never entered, so they must not be reported either.
    if (name === '.git' || path === options.forbidden) continue;
    if (++entries > maxEntries) return { ignored, isCut: true };
    if (!isFolder && !options.wants(path)) continue;
    if (rules.ignores(path, isFolder ? 'folder' : 'file')) {
      ignored++;
      continue;
    }
    if (!take({ path, name, kind, depth })) break;
    if (!isFolder || depth >= options.maxDepth) continue;
    // Synchronous with yields, because using the thread pool once per folder would take four times as long.
    await slices();
    options.signal.throwIfAborted();
    const below = readFolder(path, options);
    const hasRules = below.some((one) => one.name === '.gitignore');
    way.push({ path: path + sep, depth: depth + 1, rules: hasRules ? rules.inside(path) : rules, found: below, next: 0 });
  }
  return { ignored, isCut: false };
}

function readFolder(folder: string, { list }: WalkOptions): readonly Found[] {
  try {
    return list(folder)
      .map((one) => {
        const kind = kindOf(one);
        return { name: one.name, kind, key: kind === 'folder' ? `${one.name}/` : one.name };
      })
      .sort((left, right) => (left.key < right.key ? -1 : 1));
  } catch {
    return []; // removed or moved in the meantime, or not readable by the server
  }
}

function kindOf(found: Dirent): WalkEntry['kind'] {
  if (found.isDirectory()) return 'folder';
  if (found.isFile()) return 'file';
  return found.isSymbolicLink() ? 'link' : 'other';
}
