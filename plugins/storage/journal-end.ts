// Reads and repairs the end of a journal file: finds its newest state, and moves incomplete data left by a crash to a separate file.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { jsonOf } from '#lib/values';
import type { JournalOptions, JournalWriter } from 'agent-harness/plugins/storage';

/** Number of bytes per read. */
export const chunkSize = 256 * 1024;
export const newline = 0x0a;

type Look<T> = NonNullable<JournalOptions<T>['look']>;
type RepairedEnd<T> = Pick<JournalWriter<T>, 'last' | 'cut' | 'aside' | 'wasOpen'>;

/** Moves the data after the last line break to a separate file. Keeps a complete line without a line break, and data that cannot be moved. */
export function repairEnd<T>(descriptor: number, path: string, look: Look<T>): RepairedEnd<T> {
  const { tail, last } = readEnd(descriptor, look);
  const kept = { last, cut: 0, aside: '', wasOpen: tail.length > 0 };
  if (tail.length === 0 || isLine(tail.toString('utf8'))) return kept;
  const backupPath = `${path}.cut-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  try {
    moveDamaged(tail, backupPath);
    ftruncateSync(descriptor, fstatSync(descriptor).size - tail.length);
  } catch {
    return kept; // the disk is full: nothing is lost, and readers skip the line
  }
  return { last, cut: tail.length, aside: backupPath, wasOpen: false };
}

/** Writes the bytes to a separate file and flushes it. Throws if that fails. */
function moveDamaged(bytes: Buffer, path: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } catch (fault) {
    rmSync(path, { force: true });
    throw fault;
  } finally {
    closeSync(file);
  }
}

/** Returns the data after the last line break, and the result of `look` for the newest matching line. */
export function readEnd<T>(descriptor: number, look: Look<T>): { readonly tail: Buffer; readonly last: T | undefined } {
  let bytes: Buffer = Buffer.alloc(0);
  for (let position = fstatSync(descriptor).size; position > 0;) {
    const length = Math.min(chunkSize, position);
    const chunk = Buffer.allocUnsafe(length);
    readSync(descriptor, chunk, 0, length, position - length);
    position -= length;
    bytes = Buffer.concat([chunk, bytes]);
    const stop = bytes.lastIndexOf(newline);
    const tail = bytes.subarray(stop + 1);
    const text = tail.toString('utf8');
    const last = (isLine(text) ? look(text) : undefined) ?? (stop < 0 ? undefined : lookUpwards(bytes.subarray(0, stop), position === 0, look));
    if (last === undefined && position > 0) continue;
    return { tail, last };
  }
  return { tail: bytes, last: undefined };
}

/** Returns the result of `look` for the last matching line; `undefined` if no line matches, or if more of the file is needed. */
function lookUpwards<T>(bytes: Buffer, isAll: boolean, look: Look<T>): T | undefined {
  for (let end = bytes.length; end > 0;) {
    const start = bytes.lastIndexOf(newline, end - 1) + 1;
    if (start === 0 && !isAll) return undefined;
    const found = look(bytes.toString('utf8', start, end));
    if (found !== undefined) return found;
    end = start - 1;
  }
  return undefined;
}

/** Returns whether the text is a JSON object, which a truncated line never is. */
export function isLine(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}') && jsonOf(text) !== undefined;
}
