// What is on a disk: whether it is there, whether it changed, and that it stays.
import { fdatasync, realpathSync, statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** Whether something has that path, a link that leads nowhere included; not where its folder cannot be looked into. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Another one when a file was written or replaced; empty where there is none, or where it cannot be looked at. */
export function fileStamp(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
  } catch {
    return '';
  }
}

/** Where links lead; the path as it is where nothing is there. */
export function realPathIfThere(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Flushes the content of an open file, and what is needed to read it. */
export function flushFile(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(descriptor, (fault) => (fault ? reject(fault) : resolve())));
}

/** Flushes the folder's list of names, which is where a rename happens. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
