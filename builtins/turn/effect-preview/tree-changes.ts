// Reads the changes of a folder from its overlay, each with the state before the change.
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#lib/errors';
import type { Layer } from './stage.ts';

/** The state of a path. Times are nanoseconds since 1970. */
export interface Facts {
  readonly kind: 'file' | 'folder' | 'link';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
  readonly mtime: bigint;
  readonly ctime: bigint;
  /** Device and inode. */
  readonly id: string;
  readonly names: number;
  /** Target of a link. */
  readonly target?: string;
}

/** A changed path; `before` or `after` is `undefined` if the path does not exist at that time. */
export interface TreeChange {
  /** Path relative to the folder, with `/`. */
  readonly path: string;
  readonly before?: Facts;
  readonly after?: Facts;
  /** Set if the file has the same bytes before and after. */
  readonly hasSameContent?: true;
}

export interface TreeLimits {
  readonly changes: number;
  /** Maximum total size of the new and changed files, in bytes. */
  readonly bytes: number;
  /** Start of the command in nanoseconds since 1970; the command did not see later changes of the original folder. */
  readonly since?: bigint;
}

/** Returns whether a path is in the store of a repository. Later commits refer to its files, so an undo must not remove them one by one. */
export const isOfGit = (path: string): boolean => path.split('/').includes('.git');

/** Error that states, as a sentence, why changes cannot be displayed and applied. */
export class CannotShow extends Error {}

/** Returns the changes; folders precede their content. Rejects with {@link CannotShow}. */
export async function readChanges({ base, upper, merged }: Layer, limits: TreeLimits): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  let bytes = 0;

  function add(change: TreeChange): void {
    const { path, before, after } = change;
    if (limits.since !== undefined && before && before.ctime > limits.since) throw new CannotShow(`${path} was changed meanwhile.`);
    if (before?.kind === 'file' && before.names > 1 && after && !change.hasSameContent)
      throw new CannotShow(`${path} has other hard links, whose changes a preview cannot show.`);
    bytes += after?.kind === 'file' && !change.hasSameContent ? after.size : 0;
    changes.push(change);
    if (changes.length > limits.changes) throw new CannotShow(`The command changes more than ${limits.changes.toLocaleString('en')} files and folders.`);
    if (bytes > limits.bytes) throw new CannotShow(`The command writes more than ${Math.round(limits.bytes / 1024 / 1024)} MB.`);
  }

  /** Adds the removal of a path with its content. */
  async function addGone(path: string, before: Facts): Promise<void> {
    add({ path, before });
    if (before.kind !== 'folder') return;
    for (const name of (await readdir(join(base, path))).sort()) {
      const inside = await factsAt(join(base, path, name), `${path}/${name}`);
      if (inside) await addGone(`${path}/${name}`, inside);
    }
  }

  /** @param isBelow whether the folder of the path existed before; a link that became a folder has no earlier content */
  async function visit(path: string, isBelow: boolean): Promise<void> {
    const [before, stats] = await Promise.all([isBelow ? factsAt(join(base, path), path) : undefined, lstat(join(upper, path))]);
    // The overlay represents a removed path by this device file.
    if (stats.isCharacterDevice() && stats.rdev === 0) return before ? addGone(path, before) : undefined;
    const after = (await factsAt(join(upper, path), path)) as Facts;
    const isSameKind = before?.kind === after.kind;
    if (before?.kind === 'folder' && !isSameKind) {
      await addGone(path, before);
      add({ path, after });
    } else if (after.kind === 'folder') {
      if (before === undefined || !isSameKind || before.mode !== after.mode) add({ path, ...(before ? { before } : {}), after });
      await visitFolder(path, before?.kind === 'folder');
    } else if (before && isSameKind) {
      const hasSameContent = await isSame(path, before, after);
      const isTouched = after.kind === 'file' && (before.mode !== after.mode || before.mtime !== after.mtime);
      if (!hasSameContent || isTouched) add({ path, before, after, ...(hasSameContent ? { hasSameContent } : {}) });
    } else add({ path, ...(before ? { before } : {}), after });
  }

  async function visitFolder(path: string, wasThere: boolean): Promise<void> {
    const names = (await readdir(join(upper, path))).sort();
    if (wasThere) {
      // A folder that was removed and created again hides its earlier content without a marker for each entry.
      const [there, seen] = await Promise.all([readdir(join(base, path)), readdir(join(merged, path))]);
      const known = new Set([...names, ...seen]);
      for (const name of there.filter((one) => !known.has(one)).sort()) {
        const gone = await factsAt(join(base, path, name), inside(path, name));
        if (gone) await addGone(inside(path, name), gone);
      }
    }
    for (const name of names) await visit(inside(path, name), wasThere);
  }

  const mayBeMoved = ({ size }: Facts): boolean => changes.some(({ before, after }) => !before && after?.kind === 'file' && after.size === size);

  async function isSame(path: string, before: Facts, after: Facts): Promise<true | undefined> {
    if (after.kind === 'link') return before.target === after.target ? true : undefined;
    if (before.size !== after.size) return undefined;
    if (after.size > limits.bytes) throw new CannotShow(`${path} is too large to compare.`);
    const [one, other] = await Promise.all([readFile(join(base, path)), readFile(join(upper, path))]);
    return one.equals(other) ? true : undefined;
  }

  await visitFolder('', true);
  const parted = changes.find(({ before, after }) => !after && before?.kind === 'file' && before.names > 1 && mayBeMoved(before));
  if (parted) throw new CannotShow(`${parted.path} has other hard links and appears to be moved, which a preview cannot show.`);
  return changes;
}

const inside = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/**
 * Returns the state of a path; `undefined` if it is missing. Rejects with {@link CannotShow} for anything but a file, a folder or a link. @param shown path to
 * use in the message
 */
export async function factsAt(path: string, shown: string): Promise<Facts | undefined> {
  const stats = await lstat(path, { bigint: true }).catch((fault: unknown) => {
    if (hasCode(fault, 'ENOENT', 'ENOTDIR')) return undefined;
    throw fault;
  });
  if (!stats) return undefined;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : undefined;
  if (kind === undefined) throw new CannotShow(`${shown} is a pipe, a socket or a device.`);
  return {
    kind,
    mode: Number(stats.mode) & 0o7777,
    size: Number(stats.size),
    mtime: stats.mtimeNs,
    ctime: stats.ctimeNs,
    id: `${stats.dev}:${stats.ino}`,
    names: Number(stats.nlink),
    ...(kind === 'link' ? { target: await readlink(path) } : {}),
  };
}
