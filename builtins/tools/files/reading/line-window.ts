// Reads a window of lines from a file of any size; only these lines are in memory.
import { textStart } from '#lib/text';

export interface LineWindow {
  readonly lines: readonly string[];
  /** Number of lines in the file; omitted if counting was stopped. */
  readonly total?: number;
  readonly hasCrlf: boolean;
}

export interface WindowOptions {
  /** Number of the first line, counted from 1. */
  readonly first: number;
  readonly count: number;
  /** Maximum length of a line in UTF-16 code units; a longer line is truncated, and a note is added. */
  readonly maxLine: number;
  /** Maximum total length of the lines in UTF-16 code units, at which the window ends. */
  readonly maxChars: number;
  /** Number of bytes after which lines outside the window are no longer counted. */
  readonly countUpTo: number;
  readonly signal: AbortSignal;
}

/** Number of bytes per read. */
export const chunkBytes = 256 * 1024;

/** A file whose beginning has been read. */
export interface FileBytes {
  readonly start: Buffer;
  /** Whether `start` contains the whole file. */
  readonly isWhole: boolean;
  /** Fills the buffer from a position. Resolves with the number of bytes read. */
  read(into: Buffer, position: number): Promise<number>;
}

export async function readWindow(bytes: FileBytes, options: WindowOptions): Promise<LineWindow> {
  const lines: string[] = [];
  const keepBytes = options.maxLine * 4;
  let pieces: Buffer[] = [];
  let lineBytes = 0;
  let lineNumber = 1;
  let chars = 0;
  let position = 0;
  let isFull = false;
  let hasCrlf = false;

  const isWanted = (): boolean => !isFull && lineNumber >= options.first;
  const keep = (piece: Buffer): void => {
    const room = keepBytes - Math.min(lineBytes, keepBytes);
    if (room > 0 && piece.length > 0) pieces.push(Buffer.from(piece.subarray(0, room)));
    lineBytes += piece.length;
  };
  const finishLine = (): void => {
    if (isWanted()) {
      const line = lineText(Buffer.concat(pieces), lineBytes, options.maxLine, lineNumber === 1);
      hasCrlf ||= line.hasReturn;
      lines.push(line.text);
      chars += line.text.length + 1;
      isFull = lines.length >= options.count || chars >= options.maxChars;
    }
    pieces = [];
    lineBytes = 0;
    lineNumber++;
  };

  let chunk: Buffer | undefined;
  for (let read = bytes.start; read.length > 0;) {
    options.signal.throwIfAborted();
    position += read.length;
    for (let start = 0; start < read.length;) {
      const end = read.indexOf(10, start);
      const piece = read.subarray(start, end === -1 ? read.length : end);
      if (isWanted()) keep(piece);
      else lineBytes += piece.length;
      if (end === -1) break;
      finishLine();
      start = end + 1;
    }
    if (bytes.isWhole) break;
    if (isFull && position > options.countUpTo) return { lines, hasCrlf };
    chunk ??= Buffer.allocUnsafe(chunkBytes);
    read = chunk.subarray(0, await bytes.read(chunk, position));
  }
  if (lineBytes > 0) finishLine();
  return { lines, total: lineNumber - 1, hasCrlf };
}

function lineText(bytes: Buffer, fullLength: number, maxLine: number, isFirst: boolean): { text: string; hasReturn: boolean } {
  let text = bytes.toString('utf8');
  if (isFirst && text.startsWith('\uFEFF')) text = text.slice(1);
  const hasReturn = fullLength === bytes.length && text.endsWith('\r');
  if (hasReturn) text = text.slice(0, -1);
  if (text.length <= maxLine && fullLength === bytes.length) return { text, hasReturn };
  return { text: `${textStart(text, maxLine)}… [line cut: ${fullLength.toLocaleString('en')} bytes]`, hasReturn };
}
