// Searches the lines of one open file of any size, piece by piece.
import { readSync, type Stats } from 'node:fs';
import { decodeLabel } from '#lib/text-decoding';
import { textFormOf, type TextForm } from '../documents/text-form.ts';
import { createLineScan, maxMatchedLine, type Search } from './line-scan.ts';
import type { FoundLine } from './search-thread.ts';

const maxFileBytes = 2 * 1024 * 1024;
const chunkBytes = 4 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const sampleBytes = 8192;
const newline = 10;
const longLineBytes = 8 * maxMatchedLine;

/** Creates the buffer that is reused for the pieces of all files. */
export const createChunk = (): Buffer => Buffer.allocUnsafeSlow(chunkBytes);

interface Opened {
  readonly file: number;
  readonly size: number;
  readonly chunk: Buffer;
  /** Number of bytes of the file in the chunk. */
  readonly firstRead: number;
  readonly form: TextForm;
}

/** Returns the lines, or the reason why the file was not searched. */
export function searchOpened(file: number, stats: Stats, chunk: Buffer, search: Search): readonly FoundLine[] | 'skipped' | 'linked' {
  const { task } = search;
  // A file that the call names is searched regardless of its size.
  if (!stats.isFile() || (stats.size > maxFileBytes && !task.isNamed)) return 'skipped';
  if (stats.nlink > 1 && !task.mayHaveOtherNames) return 'linked';
  const { size } = stats;
  const firstRead = size === 0 ? 0 : readSync(file, chunk, 0, Math.min(size, chunkBytes), 0);
  const start = chunk.subarray(0, firstRead);
  if (firstRead >= size && hasNothing(start, search)) return [];
  const form = textFormOf(start, firstRead < size);
  if (!form) return 'skipped';
  const opened = { file, size, chunk, firstRead, form };
  return form.encoding.startsWith('utf-16') ? searchDecoded(opened, search) : searchBytes(opened, search);
}

/** Splits at line ends, so that lines that cannot match are counted without being decoded. */
function searchBytes({ file, size, chunk, firstRead, form }: Opened, search: Search): readonly FoundLine[] {
  const { task, required } = search;
  const scan = createLineScan(search);
  let [start, end, read, position] = [form.mark, firstRead, firstRead, firstRead];
  for (;;) {
    const isLast = read === 0 || position >= size;
    const bytes = chunk.subarray(0, isLast ? end : chunk.subarray(0, end).lastIndexOf(newline) + 1);
    while (start < bytes.length && search.hits < task.maxHits) {
      const near = bytes.indexOf(newline, start + pieceBytes);
      const piece = bytes.subarray(start, near === -1 ? bytes.length : near + 1);
      if (task.context === 0 && required?.test(piece.toString('latin1')) === false) scan.pass(countLines(piece));
      else scan.take(linesOf(decodeLabel(form.encoding, piece)), false);
      start += piece.length;
    }
    if (isLast) scan.take([], true);
    if (isLast || search.hits >= task.maxHits) return scan.found();
    const from = Math.max(start, bytes.length);
    // Only the beginning of a very long line is matched.
    const kept = end - from > chunkBytes / 2 ? longLineBytes : end - from;
    chunk.copyWithin(0, from, from + kept);
    Atomics.add(task.progress, 1, 1);
    read = readSync(file, chunk, kept, chunkBytes - kept, position);
    [start, end, position] = [0, kept + read, position + read];
  }
}

function searchDecoded({ file, size, chunk, firstRead, form }: Opened, search: Search): readonly FoundLine[] {
  const { task } = search;
  let read = firstRead;
  const decoder = new TextDecoder(form.encoding, { ignoreBOM: true });
  const scan = createLineScan(search);
  let rest = '';
  for (let position = 0; ;) {
    const isFirst = position === 0;
    position += read;
    const isLast = read === 0 || position >= size;
    const text = rest + decoder.decode(chunk.subarray(isFirst ? form.mark : 0, read), { stream: !isLast });
    const lines = text.split('\n');
    rest = isLast ? '' : (lines.pop() ?? '');
    if (isLast && lines.at(-1) === '') lines.pop();
    // Only the beginning of a very long line is matched.
    if (rest.length > chunkBytes) rest = rest.slice(0, maxMatchedLine);
    scan.take(lines, isLast);
    if (isLast || search.hits >= task.maxHits) return scan.found();
    Atomics.add(task.progress, 1, 1);
    read = readSync(file, chunk, 0, chunkBytes, position);
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function countLines(bytes: Buffer): number {
  let count = bytes.at(-1) === newline ? 0 : 1;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

/** Returns whether the bytes of an ASCII-compatible text (any encoding but UTF-16) cannot match. */
function hasNothing(bytes: Buffer, { required }: Search): boolean {
  const first = bytes[0];
  if (!required || first === 0xff || first === 0xfe || bytes.subarray(0, sampleBytes).includes(0)) return false;
  return !required.test(bytes.toString('latin1'));
}
