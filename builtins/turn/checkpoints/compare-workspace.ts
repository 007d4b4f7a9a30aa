// Finds the changes that a command made in a workspace: copies the files before the command runs, and compares them afterwards.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createSerialQueues } from '#lib/async';
import { createSlices } from '#lib/event-loop';
import { sha256 } from '#lib/hash';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';

/** A file that differs from its copy. */
export interface ComparedFile {
  /** Absolute real path. */
  readonly path: string;
  /** Content before the change; `null` for a missing file. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Permission bits before the change. */
  readonly mode?: number;
  /** Path of the outermost folder that was created for the file. */
  readonly madeFolder?: string;
}

export interface Comparison {
  readonly changes: readonly ComparedFile[];
  /** Whether untracked content changed or may have changed: large files, folders of package managers, git's own files. */
  readonly isPartial: boolean;
}

export interface WorkspaceComparer {
  /** Copies all files that are new since the last command. Resolves with the compare function, which must be called once, after the command. */
  begin(workspaceRoot: string): Promise<() => Promise<Comparison>>;
  /** Deletes all copies. */
  clear(): void;
}

/** Limits for tracking the changes of a workspace: numbers of files and changes, and sizes in bytes. */
export const compareLimits = { files: 20_000, fileBytes: 4 * 1024 * 1024, bytes: 64 * 1024 * 1024, changes: 5_000 };
/** Large folders that package managers can restore; for these, only the fact that they changed is detected. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'target', '.cache', '__pycache__']);
/** Git files that change with commits, branches and stashes. */
const gitFiles = ['HEAD', 'logs/HEAD', 'refs', 'refs/heads', 'refs/tags', 'packed-refs', 'FETCH_HEAD'];
const mostWorkspaces = 8;

/** A snapshot of a workspace: its files and folders. */
interface Look {
  readonly files: ReadonlyMap<string, Stats>;
  readonly folders: ReadonlySet<string>;
  /** Fingerprint of the files that are not copied, calculated from their paths and times. */
  readonly others: string;
  readonly isCut: boolean;
}

interface KeptWorkspace {
  /** Copies by path: the stats of the file when it was copied, and the path of the copy. */
  readonly copies: Map<string, { readonly stats: Stats; readonly copy: string }>;
  /** Number of running commands in the workspace that still need the copies. */
  active: number;
}

/**
 * @param folder absolute path for the copies, which must not be used for anything else
 * @param exactFiles opens exactly the file at a path, and never the target of a link that was created there in the meantime
 */
export function createWorkspaceComparer(folder: string, exactFiles: Pick<ExactFiles, 'open' | 'close'>): WorkspaceComparer {
  const kept = new Map<string, KeptWorkspace>();
  const queues = createSerialQueues<string>();
  let count = 0;
  let isClean = false;

  const folderOf = (root: string): string => join(folder, sha256(root).slice(0, 16));

  function open(root: string): KeptWorkspace {
    // Deletes the copies that a killed server left behind.
    if (!isClean) rmSync(folder, { recursive: true, force: true });
    isClean = true;
    const found = kept.get(root) ?? { copies: new Map(), active: 0 };
    kept.delete(root);
    kept.set(root, found);
    for (const [other, { active }] of kept) {
      if (kept.size <= mostWorkspaces || active > 0 || other === root) continue;
      kept.delete(other);
      rmSync(folderOf(other), { recursive: true, force: true });
    }
    mkdirSync(folderOf(root), { recursive: true, mode: 0o700 });
    return found;
  }

  /** @returns the paths of the copies of all files below the size limit, by file path */
  async function copyAll(root: string, { files }: Look, { copies, active }: KeptWorkspace): Promise<Map<string, string>> {
    const slices = createSlices();
    const now = new Map<string, string>();
    let bytes = 0;
    for (const [path, stats] of files) {
      bytes += stats.size;
      if (stats.size > compareLimits.fileBytes || bytes > compareLimits.bytes) continue;
      const known = copies.get(path);
      if (known && isSame(known.stats, stats)) now.set(path, known.copy);
      else {
        const copy = join(folderOf(root), `${count++}`);
        const content = tryRead(path, stats, exactFiles);
        if (!content) continue;
        writeFileSync(copy, content, { mode: 0o600 });
        if (known && active === 0) rmSync(known.copy, { force: true });
        copies.set(path, { stats, copy });
        now.set(path, copy);
      }
      const over = slices();
      if (over) await over;
    }
    if (active > 0) return now;
    for (const [path, { copy }] of copies) {
      if (now.has(path)) continue;
      copies.delete(path);
      rmSync(copy, { force: true });
    }
    return now;
  }

  async function begin(root: string): Promise<() => Promise<Comparison>> {
    const workspace = open(root);
    const before = await lookAt(root);
    const copies = before.isCut ? new Map<string, string>() : await copyAll(root, before, workspace);
    workspace.active++;
    return async () => {
      try {
        if (before.isCut) return { changes: [], isPartial: true };
        return await compare(before, await lookAt(root), copies, exactFiles);
      } finally {
        workspace.active--;
      }
    };
  }

  return {
    async begin(workspaceRoot) {
      const root = await realpath(workspaceRoot);
      return queues.run(root, () => begin(root));
    },
    clear() {
      kept.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function lookAt(root: string): Promise<Look> {
  const slices = createSlices();
  const files = new Map<string, Stats>();
  const folders = new Set<string>();
  const others: string[] = [];
  const left = [root];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    folders.add(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.name === '.git') others.push(...gitTimes(path));
      else if (entry.isDirectory() && !skipped.has(entry.name)) left.push(path);
      else {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (stats?.isFile()) files.set(path, stats);
        else if (stats) others.push(`${path} ${stats.mtimeMs}`);
      }
      if (files.size + left.length + folders.size > compareLimits.files) return { files, folders, others: '', isCut: true };
    }
    const over = slices();
    if (over) await over;
  }
  return { files, folders, others: others.sort().join('\n'), isCut: false };
}

function entriesOf(folder: string): ReturnType<typeof readdirWithTypes> {
  try {
    return readdirWithTypes(folder);
  } catch {
    return []; // removed in the meantime, or not readable by the server
  }
}

const readdirWithTypes = (folder: string) => readdirSync(folder, { withFileTypes: true });

/** @param git path of the folder `.git`, or of the file `.git` in a linked worktree, which refers to a folder */
function gitTimes(git: string): string[] {
  let folder = git;
  if (lstatSync(git, { throwIfNoEntry: false })?.isFile()) folder = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1] ?? git;
  return gitFiles.map((name) => `${git} ${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0}`);
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.ino === other.ino && one.mode === other.mode;

async function compare(before: Look, after: Look, copies: ReadonlyMap<string, string>, exactFiles: Pick<ExactFiles, 'open' | 'close'>): Promise<Comparison> {
  const slices = createSlices();
  const changes: ComparedFile[] = [];
  let isPartial = before.others !== after.others || after.isCut;
  for (const path of new Set([...before.files.keys(), ...after.files.keys()])) {
    const [was, is] = [before.files.get(path), after.files.get(path)];
    if (was && is && isSame(was, is)) continue;
    const copy = copies.get(path);
    const old = copy === undefined ? undefined : readFileSync(copy);
    const now = is === undefined || is.size > compareLimits.fileBytes ? undefined : tryRead(path, is, exactFiles);
    if ((was && !old) || (is && !now) || changes.length >= compareLimits.changes) isPartial = true;
    else if (!old || !now || !old.equals(now)) {
      const madeFolder = was ? undefined : outermostNew(path, before.folders);
      changes.push({
        ...{ path, before: old ?? null, after: now ?? null },
        ...(was ? { mode: was.mode & 0o7777 } : {}),
        ...(madeFolder === undefined ? {} : { madeFolder }),
      });
    } else if (was?.mode !== is?.mode) isPartial = true;
    const over = slices();
    if (over) await over;
  }
  return { changes, isPartial };
}

/** Returns the content; `undefined` if the path is missing, is now another file or a link, or cannot be read. */
function tryRead(path: string, { dev, ino }: Stats, exactFiles: Pick<ExactFiles, 'open' | 'close'>): Buffer | undefined {
  try {
    const file = exactFiles.open(path, { dev, ino });
    try {
      return file.stats.isFile() && file.stats.ino === ino && file.stats.dev === dev ? readFileSync(file.descriptor) : undefined;
    } finally {
      exactFiles.close(file);
    }
  } catch {
    return undefined;
  }
}

function outermostNew(path: string, folders: ReadonlySet<string>): string | undefined {
  let made: string | undefined;
  for (let folder = dirname(path); !folders.has(folder) && basename(folder) !== ''; folder = dirname(folder)) made = folder;
  return made;
}
