// Checks whether files exist or have changed, and flushes them to disk.
import { fdatasync, realpathSync, statSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** Returns whether the path exists, including as a dangling link; `false` if its folder is not accessible. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns a stamp that changes when the file is written or replaced; empty if the file is missing or not accessible. */
export function fileStamp(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
  } catch {
    return '';
  }
}

/** Resolves links; returns the path unchanged if it does not exist. */
export function realPathIfThere(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Flushes the content of an open file, and the metadata needed to read it. */
export function flushFile(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => fdatasync(descriptor, (fault) => (fault ? reject(fault) : resolve())));
}

/** Flushes the directory entries of a folder, which a rename changes. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
