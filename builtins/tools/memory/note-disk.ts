// Reads and writes the files of a list of notes: the list, the journal of changes, and the journal that is being merged into the list. Never follows a link.
import { constants, lstatSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '#lib/errors';
import { flushFolder } from '#lib/files';

export interface NotePaths {
  /** Path of `.agent_notes.json`: a map of all notes. */
  readonly list: string;
  /** Path of `.agent_notes.jsonl`: the changes since the list was written, one per line. */
  readonly journal: string;
  /** Path of the journal while it is merged into the list; the file may remain after a crash. */
  readonly folding: string;
}

/** Identifies the current file at a path; `undefined` if there is no file. */
export type Stamp = { readonly file: string; readonly size: number; readonly time: string } | undefined;

export class UnsafeFile extends Error {}

/** Maximum size of a file in bytes; a larger file is not read. */
const maxBytes = 400 * 1024 * 1024;
const noLink = constants.O_NOFOLLOW ?? 0;

export function pathsOf(list: string): NotePaths {
  const stem = list.replace(/\.json$/, '');
  return { list, journal: `${stem}.jsonl`, folding: `${stem}.folding.jsonl` };
}

/** Returns the stamp of the file. Throws {@link UnsafeFile} for a link, a folder, a device, or a file that is too large. */
export async function stampOf(path: string): Promise<Stamp> {
  // Synchronous, because this takes microseconds; with the thread pool, each note would take a hundred times as long.
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) throw new UnsafeFile(`'${path}' is not a regular file`);
  if (stats.size > maxBytes) throw new UnsafeFile(`'${path}' is larger than ${maxBytes} bytes`);
  return stampFrom(stats);
}

export function isSame(one: Stamp, other: Stamp): boolean {
  return one?.file === other?.file && one?.size === other?.size && one?.time === other?.time;
}

export interface JournalPart {
  readonly lines: readonly string[];
  /** Byte offset after the last line break that was read. */
  readonly end: number;
  readonly file: string;
}

/** Reads complete lines from an offset on; leaves a partially written line for later. Resolves with `undefined` if there is no file. */
export async function readLines(path: string, from: number): Promise<JournalPart | undefined> {
  const file = await openPlain(path, constants.O_RDONLY);
  if (!file) return undefined;
  try {
    const { size, dev, ino } = await file.stat({ bigint: true });
    const bytes = await readBytes(file, from, Math.max(0, Number(size) - from));
    const whole = bytes.lastIndexOf(10) + 1;
    const lines = bytes
      .toString('utf8', 0, whole)
      .split('\n')
      .filter((line) => line !== '');
    return { lines, end: from + whole, file: `${dev}:${ino}` };
  } finally {
    await file.close();
  }
}

/** Returns bytes and stamp of the same file. */
export async function readWhole(path: string): Promise<{ readonly bytes: Buffer; readonly stamp: Stamp } | undefined> {
  const file = await openPlain(path, constants.O_RDONLY);
  if (!file) return undefined;
  try {
    const stats = await file.stat({ bigint: true });
    return { bytes: await readBytes(file, 0, Number(stats.size)), stamp: stampFrom(stats) };
  } finally {
    await file.close();
  }
}

/** Reads bytes; returns fewer if the file ends earlier. */
async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const { bytesRead } = await file.read(bytes, got, length - got, from + got);
    if (bytesRead === 0) break;
    got += bytesRead;
  }
  return bytes.subarray(0, got);
}

/**
 * Appends a line. Resolves when the line is on disk, in the file that is then at `path`. If the journal was moved for merging, its lines may already have been
 * read, so the line is written again. Reading a line twice is harmless.
 */
export async function appendLine(path: string, line: string, mode: number): Promise<void> {
  // The leading line break separates the line from a partial line that a crash left behind.
  const bytes = Buffer.from(`\n${line}\n`);
  for (;;) {
    const file = await openToAppend(path, mode);
    try {
      // A single write, so that lines of several processes do not mix. A write that a full disk truncates fails.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten !== bytes.length) throw Object.assign(new Error(`'${path}' could not be written in full`), { code: 'ENOSPC', path });
      await file.datasync();
      const { dev, ino } = await file.stat({ bigint: true });
      if ((await stampOf(path))?.file === `${dev}:${ino}`) return;
    } finally {
      await file.close();
    }
  }
}

/** Copies a list with its changes, in the order in which lines are moved. A line that is moved in the meantime is copied twice, which is harmless. */
export async function copyNotes(fromList: string, toList: string): Promise<void> {
  const [from, to] = [pathsOf(fromList), pathsOf(toList)];
  for (const part of ['journal', 'folding', 'list'] as const) {
    if (!(await stampOf(from[part]))) continue;
    await copyFile(from[part], to[part]).catch((fault: unknown) => {
      if (!hasCode(fault, 'ENOENT')) throw fault;
    });
  }
}

async function openToAppend(path: string, mode: number): Promise<FileHandle> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
  const file = (await openPlain(path, flags, mode)) ?? (await mkdir(dirname(path), { recursive: true, mode: 0o700 }).then(() => openPlain(path, flags, mode)));
  if (!file) throw new UnsafeFile(`'${path}' cannot be created`);
  return file;
}

async function openPlain(path: string, flags: number, mode = 0o600): Promise<FileHandle | undefined> {
  // Checked before the file is opened, because opening a pipe would block.
  const stamp = await stampOf(path);
  if (!stamp && (flags & constants.O_CREAT) === 0) return undefined;
  try {
    return await open(path, flags | noLink, mode);
  } catch (fault) {
    if (hasCode(fault, 'ENOENT', 'ENOTDIR')) return undefined;
    if (hasCode(fault, 'ELOOP')) throw new UnsafeFile(`'${path}' is a link`);
    throw fault;
  }
}

/** Writes a temporary file. Resolves when the text is on disk. */
export async function writeTemporary(path: string, pieces: AsyncIterable<string>): Promise<Stamp> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
    return stampFrom(await file.stat({ bigint: true }));
  } finally {
    await file.close();
  }
}

/** Replaces the list that has the stamp `expected`. Resolves with `false` and does nothing if another process has changed the list in the meantime. */
export async function replaceList(path: string, temporary: string, expected: Stamp): Promise<boolean> {
  if (!isSame(await stampOf(path), expected)) return false;
  await rename(temporary, path);
  await flushFolder(dirname(path));
  return true;
}

function stampFrom(stats: { readonly dev: bigint; readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint }): Stamp {
  return { file: `${stats.dev}:${stats.ino}`, size: Number(stats.size), time: String(stats.mtimeNs) };
}
