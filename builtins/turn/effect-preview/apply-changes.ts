// Applies the changes of a preview to the original folder if that folder is unchanged since it was copied. Never writes through a link that was created on a
// path.
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, constants, fchmodSync, futimesSync, linkSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rmdir, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failure, messageOf } from '#lib/errors';
import { createSlices } from '#lib/event-loop';
import { sha256 } from '#lib/hash';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import { factsAt, isOfGit, type Facts, type TreeChange } from './tree-changes.ts';

export interface ApplyParts {
  /** The folder with the new contents, and the folder to change, as absolute real paths. */
  readonly from: string;
  readonly to: string;
  readonly exactFiles: ExactFiles;
  /** Part of the names of unfinished files, by which cleanup after a kill recognises them. */
  readonly mark: string;
  /** Changes that a killed process already made. */
  readonly made?: readonly TreeChange[];
  /** Stores contents before they change; omitted if no undo is needed. */
  record?(changes: readonly RecordedChange[]): Promise<void>;
}

export const createApplyMark = (): string => randomBytes(9).toString('hex');

/** Returns the temporary name of a new file, which is written next to its target. */
export const unfinishedName = (mark: string, path: string): string => `.${mark}.${sha256(path).slice(0, 12)}.tmp`;

/** A file that is about to be created or removed. `previous`: the path is not a file and is removed first. */
export interface RecordedChange {
  readonly path: string;
  readonly next: Uint8Array | null;
  readonly previous?: null;
}

/** Minimum size in bytes of files that are processed asynchronously, so that other work is not blocked. */
const largeBytes = 256 * 1024;

/** Returns a sentence that states why the changes cannot be applied; `undefined` if all affected paths are unchanged. */
export async function whyStale(changes: readonly TreeChange[], to: string, exactFiles: ExactFiles): Promise<string | undefined> {
  const made = new Set(changes.filter(isNewFolder).map(({ path }) => path));
  const gone = new Set(changes.filter(({ before, after }) => before && !after).map(({ path }) => path));
  for (const { path, before, after } of changes) {
    // A folder that does not exist yet, or a path that is removed first, has no content.
    if (!before && (made.has(dirname(path)) || gone.has(path))) continue;
    const now = await inFolderOf(join(to, path), exactFiles, (place) => factsAt(place, path)).catch(() => null);
    if (now === null) return `A parent folder of ${path} was moved or replaced.`;
    if (!isAsItWas(before, now)) return `${path} was changed meanwhile.`;
    if (before?.kind !== 'folder' || after?.kind === 'folder') continue;
    const unknown = exactFiles.list(join(to, path)).find(({ name }) => !gone.has(`${path}/${name}`));
    if (unknown) return `${path}/${unknown.name} was created meanwhile.`;
  }
  return undefined;
}

/** Applies changes. Rejects with an error that states the progress: either nothing was changed, or the changes can be undone. */
export async function applyChanges(changes: readonly TreeChange[], parts: ApplyParts): Promise<void> {
  const { to, exactFiles, record, made } = parts;
  if (record) {
    const stale = await whyStale(changes, to, exactFiles);
    if (stale !== undefined) throw failure(`Nothing was applied: ${stale}`, 'Repeat the call to preview it on the current files.');
    await record(await recordsOf(changes, parts));
  }
  let path = '';
  try {
    for (const change of changes.toReversed()) {
      path = change.path;
      if (change.before && (!change.after || isNewFolder(change))) await clear(change.before, join(to, path), parts);
    }
    const linked = new Map((made ?? []).flatMap(({ path: one, after }) => (after && after.names > 1 ? [[after.id, join(to, one)] as const] : [])));
    const slices = createSlices();
    for (const change of changes) {
      path = change.path;
      if (change.after) await make(change, change.after, parts, linked);
      const over = slices();
      if (over) await over;
    }
    // Folders come last: creating children changes the time of a folder, and its mode may forbid creating them.
    for (const change of changes.toReversed()) {
      path = change.path;
      if (change.after?.kind === 'folder') await finishFolder(join(to, path), change.after, isNewFolder(change), exactFiles);
    }
  } catch (fault) {
    if (!record) throw fault;
    throw failure(`Applied only up to ${path}: ${messageOf(fault)}`, 'Tell the user, who can undo the changes with /undo.');
  }
}

const isNewFolder = ({ before, after }: TreeChange): boolean => after?.kind === 'folder' && before?.kind !== 'folder';

export function isAsItWas(before: Facts | undefined, now: Facts | undefined): boolean {
  if (!before || !now) return before === now;
  if (before.kind !== now.kind || before.id !== now.id || before.mode !== now.mode) return false;
  return before.kind === 'folder' || (before.size === now.size && before.mtime === now.mtime && before.ctime === now.ctime);
}

/** Adjusts the facts about a hard-linked file: removing another name changes only its link count and ctime. */
export const ignoringNames = (before: Facts, now: Facts | undefined): Facts | undefined => (now && before.names > 1 ? { ...now, ctime: before.ctime } : now);

async function recordsOf(changes: readonly TreeChange[], { from, to }: ApplyParts): Promise<RecordedChange[]> {
  const records: RecordedChange[] = [];
  for (const { path, before, after, hasSameContent } of changes) {
    if (hasSameContent || isOfGit(path) || (before?.kind !== 'file' && after?.kind !== 'file')) continue;
    const next = after?.kind === 'file' ? await readFile(join(from, path)) : null;
    records.push({ path: join(to, path), next, ...(before?.kind === 'file' ? {} : { previous: null }) });
  }
  return records;
}

async function clear(before: Facts, path: string, { exactFiles, record }: ApplyParts): Promise<void> {
  await inFolderOf(path, exactFiles, async (place) => {
    if (before.kind === 'folder') return rmdir(place);
    if (record && !isAsItWas(before, ignoringNames(before, await factsAt(place, path)))) throw new Error('it was changed meanwhile.');
    await unlink(place);
  });
}

/** @param linked path of the first name that was created for a hard-linked file, by its identity in the copy */
async function make(
  { path, before, hasSameContent }: TreeChange,
  after: Facts,
  { from, to, exactFiles, mark }: ApplyParts,
  linked: Map<string, string>,
): Promise<void> {
  const target = join(to, path);
  if (after.kind === 'folder') {
    if (before?.kind !== 'folder') await inFolderOf(target, exactFiles, (place) => mkdir(place, 0o700));
    return;
  }
  if (hasSameContent) return finishFile(target, after, exactFiles);
  await inFolderOf(target, exactFiles, async (place) => {
    const temporary = join(dirname(place), unfinishedName(mark, path));
    try {
      const first = after.kind === 'file' && after.names > 1 ? linked.get(after.id) : undefined;
      if (after.kind === 'link') symlinkSync(after.target ?? '', temporary);
      else if (first !== undefined) await inFolderOf(first, exactFiles, (other) => Promise.resolve(linkSync(other, temporary)));
      else await writeNew(temporary, join(from, path), after);
      renameSync(temporary, place);
    } catch (fault) {
      rmSync(temporary, { force: true });
      throw fault;
    }
  });
  if (after.names > 1 && !linked.has(after.id)) linked.set(after.id, target);
}

/** Writes new content. Small files are written synchronously, because each await costs more than the write. */
async function writeNew(path: string, source: string, { mode, mtime, size }: Facts): Promise<void> {
  if (size > largeBytes) await copyFile(source, path, constants.COPYFILE_EXCL);
  else copyFileSync(source, path, constants.COPYFILE_EXCL);
  chmodSync(path, mode);
  utimesSync(path, secondsOf(mtime), secondsOf(mtime));
}

/** Sets the mode and the time of a file. */
function finishFile(path: string, { mode, mtime }: Facts, exactFiles: ExactFiles): void {
  const opened = exactFiles.open(path);
  try {
    fchmodSync(opened.descriptor, mode);
    futimesSync(opened.descriptor, opened.stats.atimeMs / 1000, secondsOf(mtime));
  } finally {
    exactFiles.close(opened);
  }
}

async function finishFolder(path: string, { mode, mtime }: Facts, isNew: boolean, exactFiles: ExactFiles): Promise<void> {
  await exactFiles.within(path, async (at) => {
    await chmod(at, mode);
    if (isNew) await utimes(at, secondsOf(mtime), secondsOf(mtime));
  });
}

const secondsOf = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9;

/** Runs work with a path to the entry that stays valid even if parent folders change. */
export function inFolderOf<T>(path: string, exactFiles: ExactFiles, work: (place: string) => Promise<T>): Promise<T> {
  return exactFiles.within(dirname(path), (at) => work(join(at, basename(path))));
}
