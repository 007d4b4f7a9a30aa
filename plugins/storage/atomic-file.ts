// Writes whole files so that a reader, or a crash, sees the old content or the new one and nothing between.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, isMissing } from 'agent-harness/lib/errors';
import { flushFolder } from 'agent-harness/lib/files';

const folderMode = 0o700;
const ownName = /^\..+\.\d+-[0-9a-f]{12}\.tmp$/;

/** Absolute paths of the temporary files that are being written. */
export type UnderWay = Set<string>;

export interface AtomicWrite {
  readonly mode: number;
  readonly isFlushed?: boolean | undefined;
  readonly keepsExisting?: boolean | undefined;
  readonly underWay: UnderWay;
}

/**
 * Resolves when content and name are on disk, or not flushed, with the system. Makes parents with mode 0700. If the folder is removed
 * during the write, the file is written once more.
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
    const file = await createFile(temporary, mode);
    try {
      await file.writeFile(content);
      // The mode given to open() is cut by the process's umask.
      await file.chmod(mode);
      if (isFlushed) await file.sync();
    } finally {
      await file.close();
    }
    if (keepsExisting) await place(temporary, path);
    else await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  } finally {
    underWay.delete(temporary);
  }
  if (isFlushed) await flushFolder(folder);
}

/** Whether a temporary file of {@link writeAtomically} with this process's number is of an earlier one: in a container numbers are the same at each start. */
export function isOfEarlier(temporary: string, underWay: UnderWay): boolean {
  return ownName.test(basename(temporary)) && !underWay.has(temporary);
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
}

/** A rename would replace a file that another writer has put there meanwhile. */
async function place(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (fault) {
    // Some file systems have no hard links.
    if (!hasCode(fault, 'EEXIST')) return rename(temporary, path);
  }
  await rm(temporary, { force: true });
}

/** `wx` never follows a link that somebody put there. */
async function createFile(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, 'wx', mode);
  } catch (fault) {
    if (!isMissing(fault)) throw fault;
    await makeFolder(dirname(path));
    return await open(path, 'wx', mode);
  }
}
