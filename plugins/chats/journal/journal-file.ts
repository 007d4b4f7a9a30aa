// Reading a `session.jsonl`: forwards, backwards from its end, and mending its end after a crash.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isMissing } from 'agent-harness/lib/errors';
import { isEventId, parseEvent } from 'agent-harness/transcript/events';

const chunkSize = 256 * 1024;
const newline = 0x0a;

/** One line of a journal, without its line break. */
export interface JournalLine {
  readonly text: string;
  /** Byte offset of its first byte. */
  readonly start: number;
}

/** `kind` and id from a line as the event log writes it, without parsing all of it. */
export function peekLine(text: string): { readonly id: number; readonly kind: string } | undefined {
  const found = /^\{"id":(\d+),"kind":"([^"\\]+)",/.exec(text);
  const id = Number(found?.[1]);
  return found && isEventId(id) && text.endsWith('}') ? { id, kind: found[2] as string } : undefined;
}

/**
 * Whole lines from the beginning, in chunks so that others get their turn; no file is no line. A last line without its break
 * counts where it is an event, as it does for {@link mendEnd}: or it would be heard only by those who come after the next writer.
 */
export async function* readLines(path: string): AsyncGenerator<readonly JournalLine[]> {
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

/**
 * Lines before byte `end` (the file's end when left out), the last one first; no file is no line. What follows the last line
 * break is left out, but for an event at the file's end.
 */
export async function* readLinesBackwards(path: string, end?: number): AsyncGenerator<JournalLine> {
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

/** A last line whose break is missing, if it is an event. */
function openLine(bytes: Buffer, start: number): readonly JournalLine[] {
  const text = bytes.toString('utf8');
  return text !== '' && parseEvent(text) ? [{ text, start }] : [];
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

/** A file of one chunk at most, read at once: that takes some µs, trips through the thread pool take a hundred each. */
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

/** What {@link mendEnd} found and did. */
export interface MendedEnd {
  /** The greatest id near the end; 0 where nothing is readable. */
  readonly lastId: number;
  /** Bytes that were moved to `aside`, a file beside the journal; 0 where the journal was in order. */
  readonly cut: number;
  readonly aside: string;
  /** What follows the last line break stays: whoever appends writes a line break first. */
  readonly isOpen: boolean;
}

/** Moves what follows the last line break to a file beside; an event that lacks no more than its line break stays, and so does what cannot be moved. */
export function mendEnd(descriptor: number, path: string): MendedEnd {
  const { tail, lastId } = readEnd(descriptor);
  const kept = { lastId, cut: 0, aside: '', isOpen: tail.length > 0 };
  if (tail.length === 0 || parseEvent(tail.toString('utf8'))) return kept;
  const aside = `${path}.cut-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  try {
    setAside(tail, aside);
    ftruncateSync(descriptor, fstatSync(descriptor).size - tail.length);
  } catch {
    return kept; // a full disk: nothing is lost, and the line is skipped when it is read
  }
  return { lastId, cut: tail.length, aside, isOpen: false };
}

/** Throws when the bytes are not safely there. */
function setAside(bytes: Buffer, path: string): void {
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

/** What follows the last line break, and the id of the last event (0 without one). */
function readEnd(descriptor: number): { readonly tail: Buffer; readonly lastId: number } {
  let bytes: Buffer = Buffer.alloc(0);
  for (let position = fstatSync(descriptor).size; position > 0;) {
    const length = Math.min(chunkSize, position);
    const chunk = Buffer.allocUnsafe(length);
    readSync(descriptor, chunk, 0, length, position - length);
    position -= length;
    bytes = Buffer.concat([chunk, bytes]);
    const stop = bytes.lastIndexOf(newline);
    const tail = bytes.subarray(stop + 1);
    const whole = stop < 0 ? undefined : idInTail(bytes.subarray(0, stop), position === 0);
    if (whole === undefined && position > 0) continue;
    return { tail, lastId: Math.max(whole ?? 0, parseEvent(tail.toString('utf8'))?.id ?? 0) };
  }
  return { tail: bytes, lastId: 0 };
}

/** The id of the last readable whole line, looking upwards; `undefined` when more of the file is needed. */
function idInTail(bytes: Buffer, isAll: boolean): number | undefined {
  for (let end = bytes.length; end > 0;) {
    const start = bytes.lastIndexOf(newline, end - 1) + 1;
    if (start === 0 && !isAll) return undefined;
    const peeked = peekLine(bytes.toString('utf8', start, end));
    if (peeked) return peeked.id;
    end = start - 1;
  }
  return isAll ? 0 : undefined;
}

/** The newest id in a journal; 0 where there is no journal or nothing readable in it. */
export function lastEventId(path: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    return 0; // no chat folder, or one that cannot be read: it has no say
  }
  try {
    return readEnd(descriptor).lastId;
  } finally {
    closeSync(descriptor);
  }
}
