// Wraps styled text into rows, preferably at spaces.
import { graphemesOf, widthOf } from './measure.ts';
import { withText, type Row, type Span } from './spans.ts';

export interface WrapOptions {
  /** Prefixes of the first row and of each further row, such as `• ` and two spaces. */
  readonly first?: Row;
  readonly rest?: Row;
}

/** A word with its styles, and the space before it. */
interface Word {
  readonly blank: Span | undefined;
  readonly parts: Span[];
  width: number;
}

/** Wraps a row. @param columns maximum width of a row, at least 4 */
export function wrapRow(row: Row, columns: number, { first = [], rest = first }: WrapOptions = {}): Row[] {
  const rows: Span[][] = [];
  let current: Span[] = [...first];
  const firstWidth = sumWidths(first);
  const restWidth = sumWidths(rest);
  let start = firstWidth;
  let width = firstWidth;

  const feed = (): void => {
    rows.push(current);
    current = [...rest];
    start = width = restWidth;
  };

  for (const word of wordsOf(row)) {
    const blank = word.blank ? word.blank.text.length : 0;
    if (width > start && width + blank + word.width > columns) feed();
    else if (word.blank && (width > start || rows.length === 0)) {
      current.push(word.blank);
      width += blank;
    }
    if (width + word.width <= columns) {
      for (const part of word.parts) current.push(part);
      width += word.width;
      continue;
    }
    for (const part of word.parts) {
      let piece = '';
      for (const sign of graphemesOf(part.text)) {
        const signWidth = widthOf(sign);
        if (width + signWidth > columns && width > start) {
          if (piece !== '') current.push(withText(part, piece));
          piece = '';
          feed();
        }
        piece += sign;
        width += signWidth;
      }
      if (piece !== '') current.push(withText(part, piece));
    }
  }
  rows.push(current);
  return rows.map(merge);
}

function sumWidths(row: Row): number {
  return row.reduce((sum, { text }) => sum + widthOf(text), 0);
}

function wordsOf(row: Row): Word[] {
  const words: Word[] = [];
  let open: Word | undefined;
  let blank: Span | undefined;
  for (const span of row) {
    for (const piece of span.text.split(/( +)/)) {
      if (piece === '') continue;
      if (piece.startsWith(' ')) {
        blank = withText(span, (blank?.text ?? '') + piece);
        open = undefined;
        continue;
      }
      if (!open) {
        open = { blank, parts: [], width: 0 };
        blank = undefined;
        words.push(open);
      }
      open.parts.push(withText(span, piece));
      open.width += widthOf(piece);
    }
  }
  // Keeps a trailing space of typed text.
  if (blank) words.push({ blank, parts: [], width: 0 });
  return words;
}

/** Merges neighbouring spans of the same style, so that rows that look equal are equal. */
export function merge(row: Row): Row {
  const merged: Span[] = [];
  for (const span of row) {
    const last = merged.at(-1);
    if (span.text === '') continue;
    if (last?.style === span.style && last.link === span.link && !last.isMessageStart) merged[merged.length - 1] = withText(last, last.text + span.text);
    else merged.push(span);
  }
  return merged;
}
