// Writes whole files so that a reader, or a crash, sees the old content or the new one and nothing between.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const folderMode = 0o700;

/** Resolves when content and name are on disk. Makes parents with mode 0700. */
export async function writeAtomically(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await createFile(temporary, mode);
    try {
      await file.writeFile(content);
      // The mode given to open() is cut by the process's umask.
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  }
  await syncFolder(folder);
}

export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: folderMode });
}

export function isMissing(fault: unknown): boolean {
  return hasCode(fault, 'ENOENT');
}

export function hasCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}

/** Flushes the folder's list of names, which is where a rename happens. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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
