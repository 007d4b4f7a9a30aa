// Reads text files of a workspace, but never the target of a link that leads outside it.
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#lib/errors';
import { isWithin } from '#lib/paths';

export interface ReadText {
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Reads a file; resolves with `undefined` if there is none, and with `{ fault }`, a sentence, if it is forbidden or unreadable.
 * @param root real path of the workspace
 * @param limit maximum size in bytes
 */
export async function readInside(root: string, path: string, limit: number): Promise<ReadText | { readonly fault: string } | undefined> {
  let real: string;
  try {
    real = await realpath(join(root, path));
  } catch (fault) {
    const code = codeOf(fault);
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { fault: `${path} cannot be read.` };
  }
  if (!isWithin(root, real)) return { fault: `${path} is outside the workspace.` };
  try {
    return await readText(real, path, limit);
  } catch {
    return { fault: `${path} cannot be read.` };
  }
}

async function readText(real: string, path: string, limit: number): Promise<ReadText | { readonly fault: string }> {
  // Non-blocking, in case the file was replaced with a pipe.
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { fault: `${path} is not a file.` };
    if (stats.size > limit) return { fault: `${path} is larger than ${Math.round(limit / 1024)} kB.` };
    const bytes = await file.readFile();
    if (bytes.includes(0)) return { fault: `${path} is not text.` };
    return { path, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n'), size: bytes.length };
  } catch (fault) {
    if (fault instanceof TypeError) return { fault: `${path} is not UTF-8 text.` };
    throw fault;
  } finally {
    await file.close();
  }
}
