// Reads the file of one vault note: text only, up to a size limit.
import { open } from 'node:fs/promises';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { explainFault, failure } from '#lib/errors';

/** Maximum size of a note in bytes. */
export const maxNoteBytes = 8 * 1024 * 1024;

/** Reads a note. Throws a failure for a file that is too large or not UTF-8 text. */
export async function readNote(absolute: string, shown: string): Promise<string> {
  return decodeNote(await readNoteBytes(absolute, shown), shown);
}

async function readNoteBytes(absolute: string, shown: string): Promise<Buffer> {
  const file = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((fault: unknown) => {
    throw explainFault(fault, shown);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw failure(`${shown} is not a regular file.`);
    if (stats.size > maxNoteBytes) {
      throw failure(
        `${shown} has ${megabytes(stats.size)} MB; notes of up to ${megabytes(maxNoteBytes)} MB can be used.`,
        'Tell the user, or use another note.',
      );
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Size in bytes up to which a synchronous read is faster than using the thread pool. */
const smallBytes = 64 * 1024;

/** Reads a note for the index, which reads thousands. Throws like {@link readNote}. */
export async function readFoundNote(absolute: string, shown: string, size: number): Promise<string> {
  if (size > smallBytes) return readNote(absolute, shown);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    return decodeNote(readFileSync(descriptor), shown);
  } catch (fault) {
    throw explainFault(fault, shown);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Decodes a note, and keeps a byte order mark. */
export function decodeNote(bytes: Uint8Array, shown: string): string {
  if (bytes.includes(0)) throw binary(shown);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw binary(shown);
  }
}

function binary(shown: string): Error {
  return failure(`${shown} is a binary file, not a UTF-8 note.`);
}

function megabytes(bytes: number): string {
  return String(Math.round((bytes / 1024 / 1024) * 10) / 10);
}
