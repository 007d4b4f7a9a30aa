// Reads other programs' files within size limits; never follows links or reads pipes.
import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadFaults } from './foreign.ts';

/** Maximum number of bytes read from a session. */
const longestSession = 512 * 1024 * 1024;
/** Maximum line length in bytes; longer lines contain images, or histories that earlier lines also contain. */
const longestLine = 8 * 1024 * 1024;
const longestText = 1024 * 1024;
/** Maximum number of entries per folder. */
const mostNames = 20_000;

export interface FoundFile {
  /** Absolute path. */
  readonly path: string;
  readonly name: string;
}

/** Resolves with `undefined` for anything but a readable regular file. The caller must close the file. */
export async function openPlain(path: string): Promise<{ readonly file: FileHandle; readonly bytes: number; readonly changedAt: Date } | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat().catch(() => undefined);
    if (stats?.isFile() === true) return { file, bytes: stats.size, changedAt: stats.mtime };
    await file.close();
  } catch {
    // The file does not exist, is a link, or is not readable.
  }
  return undefined;
}

/** Resolves with `undefined` for other files and files over the limit. */
export async function readText(path: string, limit = longestText): Promise<string | undefined> {
  const opened = await openPlain(path);
  if (!opened) return undefined;
  try {
    return opened.bytes <= limit ? await opened.file.readFile('utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    await opened.file.close();
  }
}

/** Reads the complete lines at the beginning of a file. */
export async function readHead(
  path: string,
  bytes: number,
): Promise<{ readonly lines: readonly string[]; readonly bytes: number; readonly changedAt: Date } | undefined> {
  const opened = await openPlain(path);
  if (!opened) return undefined;
  const { file, changedAt } = opened;
  try {
    if (path.endsWith('.zst')) return { lines: await headOfPacked(file, bytes), bytes: opened.bytes, changedAt };
    const buffer = Buffer.alloc(Math.min(bytes, opened.bytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    if (bytesRead < opened.bytes) lines.pop();
    return { lines, bytes: opened.bytes, changedAt };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

async function headOfPacked(file: FileHandle, bytes: number): Promise<string[]> {
  let text = '';
  for await (const chunk of unpacked(file)) {
    text += chunk.toString('utf8');
    if (text.length >= bytes) break;
  }
  return text.split('\n').slice(0, -1);
}

/** Returns the regular files and folders of a folder, sorted by name; an empty list for a missing folder. */
export async function listFolder(folder: string): Promise<{ readonly files: readonly FoundFile[]; readonly folders: readonly FoundFile[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries
    .slice(0, mostNames)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({ entry, one: { path: join(folder, entry.name), name: entry.name } }));
  return {
    files: found.flatMap(({ entry, one }) => (entry.isFile() ? [one] : [])),
    folders: found.flatMap(({ entry, one }) => (entry.isDirectory() ? [one] : [])),
  };
}

/** Yields complete non-blank lines. Counts overlong lines and lines beyond the limit in `faults`. */
export async function* linesOf(path: string, faults: ReadFaults): AsyncGenerator<string, void, undefined> {
  const opened = await openPlain(path);
  if (!opened) return void faults.broken++;
  const { file } = opened;
  let read = 0;
  let rest: Buffer[] = [];
  let held = 0;
  const take = (): string | undefined => {
    const isTooLong = held > longestLine;
    const line = isTooLong ? undefined : Buffer.concat(rest).toString('utf8');
    rest = [];
    held = 0;
    if (isTooLong) faults.broken++;
    return line?.trim() === '' ? undefined : line;
  };
  try {
    for await (const chunk of path.endsWith('.zst') ? unpacked(file) : (file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>)) {
      read += chunk.length;
      if (read > longestSession) {
        faults.isCut = true;
        return;
      }
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        held += end - start;
        if (held <= longestLine) rest.push(chunk.subarray(start, end));
        const line = take();
        if (line !== undefined) yield line;
        start = end + 1;
      }
      held += chunk.length - start;
      if (held <= longestLine) rest.push(chunk.subarray(start));
      else rest = [];
    }
    const last = take();
    if (last !== undefined) yield last;
  } catch {
    // The rest of the compressed data is unreadable.
    faults.broken++;
  } finally {
    await file.close();
  }
}

/** Decompresses Zstandard data piece by piece. */
async function* unpacked(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  const { Decompress } = await import('fzstd');
  let ready: Buffer[] = [];
  const packed = new Decompress((piece) => void ready.push(Buffer.from(piece)));
  for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 64 * 1024 }) as AsyncIterable<Buffer>) {
    packed.push(chunk);
    const pieces = ready;
    ready = [];
    yield* pieces;
  }
  packed.push(new Uint8Array(0), true);
  yield* ready;
}
