// Walks a folder, several folders at a time, leaving out what .gitignore names, links and `.git`.
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
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
  readonly maxDepth?: number;
  /** What is in exactly this folder, never in one that a link leads to. */
  list(folder: string): Promise<Dirent[]>;
  /** The text of a regular file of at most so many bytes. */
  readSmall(path: string, maxBytes: number): string | undefined;
  readonly signal: AbortSignal;
}

export interface Walk {
  readonly entries: readonly WalkEntry[];
  /** Entries that .gitignore left out; what is in an ignored folder is not counted. */
  readonly ignored: number;
  /** There was more than anybody wants to walk. */
  readonly isCut: boolean;
}

const workers = 16;
const maxEntries = 300_000;

interface Task {
  readonly folder: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
}

/** In no particular order. Folders that cannot be read are skipped. */
export async function walk(folder: string, options: WalkOptions): Promise<Walk> {
  const entries: WalkEntry[] = [];
  const tasks: Task[] = [{ folder, depth: 1, rules: options.showIgnored ? noRules : rulesFor(folder, options.root, options.readSmall) }];
  // What is in it is never reached, so that the folder itself is all that has to be told.
  const isForbidden = (path: string): boolean => path === options.forbidden;
  let ignored = 0;
  let running = 0;

  async function visit(task: Task): Promise<void> {
    for (const found of await readFolder(task.folder, options)) {
      const path = join(task.folder, found.name);
      if (found.name === '.git' || isForbidden(path)) continue;
      const kind = kindOf(found);
      if (task.rules.ignores(path, kind === 'folder' ? 'folder' : 'file')) {
        ignored++;
        continue;
      }
      entries.push({ path, name: found.name, kind, depth: task.depth });
      if (kind === 'folder' && task.depth < (options.maxDepth ?? Infinity)) {
        tasks.push({ folder: path, depth: task.depth + 1, rules: options.showIgnored ? noRules : task.rules.inside(path) });
      }
    }
  }

  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      if (options.signal.aborted) return reject(options.signal.reason);
      const isOver = entries.length >= maxEntries || tasks.length === 0;
      if (isOver && running === 0) return resolve();
      while (running < workers && tasks.length > 0 && entries.length < maxEntries) {
        running++;
        const task = tasks.pop();
        if (!task) return;
        visit(task).then(() => {
          running--;
          next();
        }, reject);
      }
    };
    next();
  });
  return { entries, ignored, isCut: entries.length >= maxEntries };
}

async function readFolder(folder: string, { list }: WalkOptions): Promise<Dirent[]> {
  try {
    return await list(folder);
  } catch {
    return []; // gone or moved meanwhile, or not ours to read
  }
}

function kindOf(found: Dirent): WalkEntry['kind'] {
  if (found.isDirectory()) return 'folder';
  if (found.isFile()) return 'file';
  return found.isSymbolicLink() ? 'link' : 'other';
}
