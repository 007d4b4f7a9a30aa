// What is at a path now, by content.
import { createHash } from 'node:crypto';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';

export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly hash: string; readonly content: Buffer; readonly mode: number }
  /** A folder, link or device; or its folder is not where it was. */
  | { readonly kind: 'other' };

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Bytes; larger files are not kept. */
export const maxKeptBytes = 256 * 1024 * 1024;

export async function readState(path: string): Promise<FileState> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > maxKeptBytes || (await realpath(dirname(path))) !== dirname(path)) return { kind: 'other' };
    const content = await readFile(path);
    return { kind: 'file', hash: hashOf(content), content, mode: stats.mode & 0o7777 };
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && (fault.code === 'ENOENT' || fault.code === 'ENOTDIR'))
      return { kind: (await isAtItsPlace(path)) ? 'none' : 'other' };
    throw fault;
  }
}

/** False where a folder on the way was replaced by a link, so that making the file would make it elsewhere. */
async function isAtItsPlace(path: string): Promise<boolean> {
  const folder = dirname((await firstMissingFolder(path)) ?? path);
  return (await realpath(folder)) === folder;
}

/** The outermost folder above `path` that does not exist; `undefined` where its folder is there. */
export async function firstMissingFolder(path: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (await exists(folder)) return missing;
    missing = folder;
  }
  return missing;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
