// Finds the files of a workspace that have certain names; later walks read only changed folders.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BoundedMap } from '#lib/values';

export interface WalkResult {
  /** Relative paths with `/`. */
  readonly paths: readonly string[];
  /** Limit that ended the walk: the end of a sentence that begins with "the workspace". */
  readonly limit?: string;
}

export interface WorkspaceWalk {
  /** Finds the files, including those in hidden and ignored folders. Contract: never rejects; unreadable folders count as empty. */
  find(root: string): Promise<WalkResult>;
}

interface Folder {
  /** Time and inode of the folder; empty right after a change, because file systems cannot distinguish two changes within a few milliseconds. */
  readonly stamp: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

interface Walked {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly result: WalkResult;
  readonly validUntilMs: number;
}

export interface WalkLimits {
  /** Maximum number of folders that a walk reads. */
  readonly mostFolders: number;
  /** Number of folders above which a workspace is walked again only after a pause, so that walks take at most a fiftieth of the time. */
  readonly smallFolders: number;
  /** Returns the time in milliseconds; replaced in tests. */
  readonly now: () => number;
}

const skipped = new Set(['node_modules', '.git']);
const usualLimits: WalkLimits = { mostFolders: 100_000, smallFolders: 500, now: () => performance.now() };
const foldersAtOnce = 64;
const pauseMs = 30_000;
const pausePerWalk = 50;
const sameTimeMs = 100;

/** @param matches receives relative paths with `/` */
export function createWorkspaceWalk(matches: (path: string) => boolean, limits: Partial<WalkLimits> = {}): WorkspaceWalk {
  const { mostFolders, smallFolders, now } = { ...usualLimits, ...limits };
  const known = new BoundedMap<string, Walked>(20);
  const running = new Map<string, Promise<WalkResult>>();

  async function walk(root: string): Promise<WalkResult> {
    const startedAt = now();
    const before = known.get(root);
    if (before && before.validUntilMs > startedAt) return before.result;
    const folders = new Map<string, Folder>();
    const queue = [''];
    while (queue.length > 0 && folders.size < mostFolders) {
      const batch = queue.splice(0, foldersAtOnce);
      const read = await Promise.all(batch.map((path) => readFolder(root, path, matches, before?.folders.get(path))));
      for (const [at, path] of batch.entries()) {
        const folder = read[at];
        if (folder) folders.set(path, folder);
        queue.push(...(folder?.folders ?? []));
      }
    }
    const paths = [...folders.values()].flatMap(({ files }) => files);
    const result = { paths, ...(queue.length === 0 ? {} : { limit: `has more than ${mostFolders} folders` }) };
    const endedAt = now();
    const pause = folders.size <= smallFolders ? 0 : Math.max(pauseMs, pausePerWalk * (endedAt - startedAt));
    known.set(root, { folders, result, validUntilMs: endedAt + pause });
    return result;
  }

  return {
    async find(root) {
      const walking = running.get(root) ?? walk(root);
      running.set(root, walking);
      try {
        return await walking;
      } finally {
        running.delete(root);
      }
    },
  };
}

async function readFolder(root: string, path: string, matches: (path: string) => boolean, before: Folder | undefined): Promise<Folder | undefined> {
  const full = join(root, path);
  const found = await stat(full).catch(() => undefined);
  if (!found) return undefined;
  const stamp = Date.now() - found.mtimeMs < sameTimeMs ? '' : `${found.mtimeMs} ${found.ino}`;
  if (before && stamp !== '' && before.stamp === stamp) return before;
  const entries = await readdir(full, { withFileTypes: true }).catch(() => []);
  const inner = (name: string): string => (path === '' ? name : `${path}/${name}`);
  return {
    stamp,
    folders: entries.filter((entry) => entry.isDirectory() && !skipped.has(entry.name)).map(({ name }) => inner(name)),
    // A link with such a name also leads to a secret.
    files: entries.filter((entry) => (entry.isFile() || entry.isSymbolicLink()) && matches(inner(entry.name))).map(({ name }) => inner(name)),
  };
}
