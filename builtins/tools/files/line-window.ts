// Reads some lines out of a file of any size without holding more than those.
import type { FileHandle } from 'node:fs/promises';

export interface LineWindow {
  readonly lines: readonly string[];
  /** All lines of the file; left out where counting was given up. */
  readonly total?: number;
  readonly hasCrlf: boolean;
}

export interface WindowOptions {
  /** Counted from 1. */
  readonly first: number;
  readonly count: number;
  /** UTF-16 units; a longer line is cut and says so. */
  readonly maxLine: number;
  /** UTF-16 units of all lines; the window ends early there. */
  readonly maxChars: number;
  /** Bytes; behind them, lines after the window are not counted any more. */
  readonly countUpTo: number;
  readonly signal: AbortSignal;
}

const chunkBytes = 256 * 1024;

export async function readWindow(handle: FileHandle, options: WindowOptions): Promise<LineWindow> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
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

  for (;;) {
    options.signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const read = chunk.subarray(0, bytesRead);
    for (let start = 0; start < bytesRead;) {
      const end = read.indexOf(10, start);
      const piece = read.subarray(start, end === -1 ? bytesRead : end);
      if (isWanted()) keep(piece);
      else lineBytes += piece.length;
      if (end === -1) break;
      finishLine();
      start = end + 1;
    }
    if (isFull && position > options.countUpTo) return { lines, hasCrlf };
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
  return { text: `${text.slice(0, maxLine)}… [line cut: ${fullLength.toLocaleString('en')} bytes]`, hasReturn };
}
