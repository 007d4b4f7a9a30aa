// Measures the columns of a text, and truncates it. Skips the width table for plain letters.
import stringWidth from 'string-width';
import { withText, type Row, type Span } from './spans.ts';

/** Characters that take one column in every terminal and font. */
const plain = /^[\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f›]*$/;
/** Symbols of this program that the table counts as one column. Some terminals differ, so they are not {@link isPlain}. */
const narrow = /^[\x20-\x7e\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f›·…•●◌│─✓✗–—‘’“”]*$/;

export function widthOf(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text);
}

export function rowWidth(row: Row): number {
  let width = 0;
  for (const { text } of row) width += widthOf(text);
  return width;
}

export function isPlain(text: string): boolean {
  return plain.test(text);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits a text into user-perceived characters. */
export function graphemesOf(text: string): string[] {
  return plain.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the beginning of a text that fits into the given number of columns. */
export function startWithin(text: string, columns: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(0, columns));
  let width = 0;
  let end = 0;
  for (const sign of graphemesOf(text)) {
    width += widthOf(sign);
    if (width > columns) break;
    end += sign.length;
  }
  return text.slice(0, end);
}

/** Returns the row, or its beginning with an ellipsis. */
export function cutRow(row: Row, columns: number): Row {
  if (rowWidth(row) <= columns) return row;
  const cut: Span[] = [];
  let left = columns - 1;
  for (const span of row) {
    const start = startWithin(span.text, left);
    cut.push(withText(span, start));
    left -= widthOf(start);
    if (start.length < span.text.length) break;
  }
  return [...cut, { text: '…', style: row.at(-1)?.style ?? '' }];
}
