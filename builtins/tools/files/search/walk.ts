// Walks a folder in the order of its paths, leaving out what .gitignore names, links and `.git`.
import type { Dirent } from 'node:fs';
import { sep } from 'node:path';
import { createSlices } from 'agent-harness/lib/event-loop';
import { noRules, rulesFor, type IgnoreRules } from './ignore-rules.ts';

export interface WalkEntry {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** 1 for what is directly in the folder. */
  readonly depth: number;
}

export interface WalkOptions {
  /** Rules above this folder count only where it is in a repository. */
  readonly root: string;
  readonly showIgnored: boolean;
  /** Never entered, never shown: the product's home folder. */
  readonly forbidden: string;
  readonly maxDepth: number;
  /** Whether anything but a folder is wanted; what is not is nobody's business, ignored or not. */
  wants(path: string): boolean;
  /** What is in exactly this folder, never in one that a link leads to. */
  list(folder: string): readonly Dirent[];
  /** The text of a regular file of at most so many bytes. */
  readSmall(path: string, maxBytes: number): string | undefined;
  readonly signal: AbortSignal;
}

export interface Walk {
  /** Entries that .gitignore left out; what is in an ignored folder is not counted. */
  readonly ignored: number;
  /** There was more than anybody wants to walk. */
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
  /** Sorts it as its whole path is sorted. */
  readonly key: string;
}

/**
 * Tells each entry as it is found, a folder before what is in it, sorted by the whole path. Folders that cannot be read
 * are skipped.
 *
 * @param take answers false where no more is wanted
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
    // What is in it is never reached, so that the folder itself is all that has to be told.
    if (name === '.git' || path === options.forbidden) continue;
    if (++entries > maxEntries) return { ignored, isCut: true };
    if (!isFolder && !options.wants(path)) continue;
    if (rules.ignores(path, isFolder ? 'folder' : 'file')) {
      ignored++;
      continue;
    }
    if (!take({ path, name, kind, depth })) break;
    if (!isFolder || depth >= options.maxDepth) continue;
    // Not one trip through the thread pool for each folder: that would take four times as long.
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
    return []; // gone or moved meanwhile, or not ours to read
  }
}

function kindOf(found: Dirent): WalkEntry['kind'] {
  if (found.isDirectory()) return 'folder';
  if (found.isFile()) return 'file';
  return found.isSymbolicLink() ? 'link' : 'other';
}
