// Truncates a long text for display and describes the size of the rest.
import { textStart } from '#lib/text';
import { formatCount, formatDecimal } from './page/format.ts';
import { t, tn } from './t.ts';

export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
  /** Describes the missing part; empty if nothing is missing. */
  readonly rest: string;
}

export interface Limits {
  readonly lines: number;
  readonly chars: number;
}

export function cutText(whole: string, { lines, chars }: Limits): CutText {
  const end = Math.min(endOfLine(whole, lines), chars);
  if (end >= whole.length) return { text: whole, isCut: false, rest: '' };
  const text = textStart(whole, end);
  return { text, isCut: true, rest: restText(whole, text.length) };
}

/** Returns the end of the first `count` lines. */
function endOfLine(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

function restText(whole: string, from: number): string {
  const lines = countLines(whole, from + 1);
  if (lines > 1) return tn(lines, '{count} more line', '{count} more lines');
  return t('{sizeText} more', { sizeText: sizeText(whole.length - from) });
}

export function countLines(text: string, from = 0): number {
  if (from >= text.length) return 0;
  let count = 1;
  for (let at = text.indexOf('\n', from); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Formats a size. @param bytes number of bytes, or of characters, each counted as one byte */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return t('{bytes} B', { bytes });
  return bytes < 1_000_000 ? t('{bytes} kB', { bytes: formatCount(Math.round(bytes / 1000)) }) : t('{bytes} MB', { bytes: formatDecimal(bytes / 1_000_000) });
}
