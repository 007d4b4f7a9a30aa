// Reads the current state of a path as a content hash.
import { readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '#lib/errors';
import { isThere } from '#lib/files';
import { sha256 } from '#lib/hash';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';

export type FileState =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly hash: string; readonly content: Buffer; readonly mode: number }
  /** A folder, a link or a device, or a file whose folder has been moved. */
  | { readonly kind: 'other' };

/** Maximum size of a stored file in bytes. */
export const maxKeptBytes = 256 * 1024 * 1024;

/** Reads the state of the file at `path`; never follows a link placed on the path. */
export async function readState(path: string, files: ExactFiles): Promise<FileState> {
  try {
    if (!files.stat(path).isFile()) return { kind: 'other' };
    const opened = files.open(path);
    try {
      const { stats, descriptor } = opened;
      if (!stats.isFile() || stats.size > maxKeptBytes) return { kind: 'other' };
      const content = readFileSync(descriptor);
      return { kind: 'file', hash: sha256(content), content, mode: stats.mode & 0o7777 };
    } finally {
      files.close(opened);
    }
  } catch (fault) {
    if (isMoved(fault)) return { kind: 'other' };
    if (hasCode(fault, 'ENOENT', 'ENOTDIR')) return { kind: (await isAtItsPlace(path)) ? 'none' : 'other' };
    throw fault;
  }
}

/** Returns whether the error means that a link was created somewhere on the path. */
export function isMoved(fault: unknown): boolean {
  return hasCode(fault, 'EMOVED', 'ELOOP');
}

/** Returns false if a link has replaced a folder on the path; the file would then be created elsewhere. */
async function isAtItsPlace(path: string): Promise<boolean> {
  const folder = dirname((await firstMissingFolder(path)) ?? path);
  return (await realpath(folder)) === folder;
}

/** Returns the outermost missing folder above `path`; `undefined` if its folder exists. */
export async function firstMissingFolder(path: string): Promise<string | undefined> {
  let missing: string | undefined;
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (await isThere(folder)) return missing;
    missing = folder;
  }
  return missing;
}
