// Implements journals as files: appends lines, and reads them forwards and backwards.
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '#lib/errors';
import { flushFile, flushFolder } from '#lib/files';
import type { JournalLine, JournalOptions, JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import { chunkSize, isLine, repairEnd, newline, readEnd } from './journal-end.ts';

export function createJournalFiles(): JournalStore {
  return {
    open(path, options) {
      if (options.makesFolder === true) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      let descriptor: number;
      try {
        descriptor = openSync(path, 'a+', 0o600);
      } catch (fault) {
        if (isMissing(fault)) return undefined;
        throw fault;
      }
      return createWriter(path, descriptor, options);
    },
    read: readLines,
    readBackwards: readLinesBackwards,
    last(path, look) {
      let descriptor: number;
      try {
        descriptor = openSync(path, 'r');
      } catch {
        return undefined; // missing or unreadable: no result
      }
      try {
        return readEnd(descriptor, look).last;
      } finally {
        closeSync(descriptor);
      }
    },
    async size(path) {
      try {
        return (await stat(path)).size;
      } catch (fault) {
        if (isMissing(fault)) return undefined;
        throw fault;
      }
    },
  };
}

function createWriter<T>(path: string, descriptor: number, { look = () => undefined, onFault }: JournalOptions<T>): JournalWriter<T> {
  let unwritten: Buffer | undefined;
  let fault: Error | undefined;
  let isClosed = false;
  // True at first, because an earlier opening may have left unflushed writes.
  let isDirty = true;
  let isNew = fstatSync(descriptor).size === 0;
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  const end = repairEnd(descriptor, path, look);
  if (end.wasOpen) append('\n');

  function append(lines: string): void {
    const bytes = Buffer.from(lines, 'utf8');
    unwritten = unwritten ? Buffer.concat([unwritten, bytes]) : bytes;
    isDirty = true;
    writeOut();
  }

  function writeOut(): void {
    try {
      while (unwritten && unwritten.length > 0) {
        const written = writeSync(descriptor, unwritten);
        unwritten = unwritten.subarray(written);
      }
      unwritten = undefined;
      fault = undefined;
    } catch (cause) {
      const isFirst = fault === undefined;
      fault = cause as Error;
      if (isFirst) onFault(fault);
    }
  }

  async function runSync(): Promise<void> {
    isDirty = false;
    try {
      await flushFile(descriptor);
      // The directory entry of a new file must be as durable as its content.
      if (isNew) await flushFolder(dirname(path));
      isNew = false;
    } catch (cause) {
      isDirty = true;
      throw cause;
    } finally {
      running = undefined;
    }
  }

  async function runNext(): Promise<void> {
    await running?.catch(() => undefined);
    queued = undefined;
    running ??= runSync();
    await running;
  }

  return {
    ...end,
    append,
    async sync() {
      if (fault) writeOut();
      if (fault) throw fault;
      if (!isDirty) return running;
      if (!running) return (running = runSync());
      return (queued ??= runNext());
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      writeOut();
      await (queued ?? running)?.catch(() => undefined);
      closeSync(descriptor);
    },
  };
}

async function* readLines(path: string): AsyncGenerator<readonly JournalLine[]> {
  const small = readSmall(path);
  if (small) {
    const end = small.lastIndexOf(newline) + 1;
    const lines = [...splitLines(small.subarray(0, end), 0), ...openLine(small.subarray(end), end)];
    if (lines.length > 0) yield lines;
    return;
  }
  const file = await openExisting(path);
  if (!file) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    let position = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkSize);
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      if (bytesRead === 0) {
        const last = openLine(rest, position - rest.length);
        if (last.length > 0) yield last;
        return;
      }
      const start = position - rest.length;
      position += bytesRead;
      const bytes = rest.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(newline) + 1;
      rest = bytes.subarray(end);
      if (end > 0) yield splitLines(bytes.subarray(0, end), start);
    }
  } finally {
    await file.close();
  }
}

async function* readLinesBackwards(path: string, end?: number): AsyncGenerator<JournalLine> {
  const file = await openExisting(path);
  if (!file) return;
  try {
    let position = end ?? (await file.stat()).size;
    let tail: Buffer = Buffer.alloc(0);
    let isWhole = false;
    while (position > 0) {
      const size = Math.min(chunkSize, position);
      const chunk = Buffer.allocUnsafe(size);
      await file.read(chunk, 0, size, position - size);
      position -= size;
      let bytes = tail.length === 0 ? chunk : Buffer.concat([chunk, tail]);
      if (!isWhole) {
        const stop = bytes.lastIndexOf(newline) + 1;
        if (stop === 0) {
          tail = bytes;
          if (position > 0) continue;
        }
        if (end === undefined) yield* openLine(bytes.subarray(stop), position + stop);
        if (stop === 0) return;
        bytes = bytes.subarray(0, stop);
        isWhole = true;
      }
      const first = position === 0 ? 0 : bytes.indexOf(newline) + 1;
      if (first === 0 && position > 0) {
        tail = bytes;
        continue;
      }
      tail = bytes.subarray(0, first);
      const lines = splitLines(bytes.subarray(first), position + first);
      for (let index = lines.length - 1; index >= 0; index--) yield lines[index] as JournalLine;
    }
  } finally {
    await file.close();
  }
}

/** Returns a complete last line that lacks its line break, which the next writer will add. */
function openLine(bytes: Buffer, start: number): readonly JournalLine[] {
  const text = bytes.toString('utf8');
  return isLine(text) ? [{ text, start }] : [];
}

function splitLines(bytes: Buffer, offset: number): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    if (end > start) lines.push({ text: bytes.toString('utf8', start, end), start: offset + start });
    start = end + 1;
  }
  return lines;
}

/** Reads a file of at most one chunk synchronously, which takes a few µs instead of a hundred in the thread pool. */
function readSmall(path: string): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= chunkSize ? readFileSync(path) : undefined;
}

async function openExisting(path: string): Promise<Awaited<ReturnType<typeof open>> | undefined> {
  try {
    return await open(path, 'r');
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}
