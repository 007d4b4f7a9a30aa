// Writes whole files atomically: a reader, or a start after a crash, finds either the old or the new content.
import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, mkdirSync, openSync, renameSync, writeFile, writeFileSync } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasCode, isMissing } from '#lib/errors';
import { flushFile, flushFolder } from '#lib/files';

const folderMode = 0o700;
/**
 * Maximum size of a file that is written synchronously, in bytes or in UTF-16 code units of text. For small files, the thread pool costs many times as much as
 * the system call.
 */
const smallFile = 256 * 1024;
const ownName = /^\..+\.\d+-[0-9a-f]{12}\.tmp$/;

/** Absolute paths of the temporary files being written. */
export type UnderWay = Set<string>;

export interface AtomicWrite {
  readonly mode: number;
  readonly isFlushed?: boolean | undefined;
  readonly keepsExisting?: boolean | undefined;
  readonly underWay: UnderWay;
}

/**
 * Resolves when content and name are on disk or, if not flushed, passed to the system. Creates parent folders with mode 0700. If the folder is removed during
 * the write, writes the file once more.
 */
export async function writeAtomically(path: string, content: string | Uint8Array, write: AtomicWrite): Promise<void> {
  try {
    await writeOnce(path, content, write);
  } catch (fault) {
    if (!isMissing(fault)) throw fault;
    await writeOnce(path, content, write);
  }
}

async function writeOnce(path: string, content: string | Uint8Array, { mode, isFlushed = true, keepsExisting = false, underWay }: AtomicWrite): Promise<void> {
  const folder = dirname(resolve(path));
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  underWay.add(temporary);
  try {
    const file = createFile(temporary, mode);
    try {
      if (content.length <= smallFile) writeFileSync(file, content);
      else await promisify<number, string | Uint8Array>(writeFile)(file, content);
      // The umask of the process restricts the mode that is passed to `open()`.
      fchmodSync(file, mode);
      if (isFlushed) await flushFile(file);
    } finally {
      closeSync(file);
    }
    if (keepsExisting) await place(temporary, path);
    else renameSync(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  } finally {
    underWay.delete(temporary);
  }
  if (isFlushed) await flushFolder(folder);
}

/** Returns whether a temporary file of {@link writeAtomically} with this process's id belongs to an earlier process: process ids repeat in containers. */
export function isOfEarlier(temporary: string, underWay: UnderWay): boolean {
  return ownName.test(basename(temporary)) && !underWay.has(temporary);
}

/** Creates a folder and its missing parents with mode 0700. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
}

/**
 * Moves a temporary file to its path unless a file exists there. Uses a hard link, because a rename would replace a file that another writer has created in the
 * meantime.
 */
async function place(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (fault) {
    // Some file systems have no hard links.
    if (!hasCode(fault, 'EEXIST')) return rename(temporary, path);
  }
  await rm(temporary, { force: true });
}

/** Returns the descriptor of a new file. `wx` never follows a link at the path. */
function createFile(path: string, mode: number): number {
  try {
    return openSync(path, 'wx', mode);
  } catch (fault) {
    if (!isMissing(fault)) throw fault;
    mkdirSync(dirname(path), { recursive: true, mode: folderMode });
    return openSync(path, 'wx', mode);
  }
}
