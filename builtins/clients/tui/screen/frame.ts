// Computes the output that changes the terminal to the next frame, relative to the cursor. Pure.
import { isPlain, rowWidth } from './measure.ts';
import type { Row } from './spans.ts';

export interface Caret {
  /** Index in the live rows, starting at 0. */
  readonly row: number;
  readonly column: number;
}

export interface Live {
  readonly rows: readonly Row[];
  readonly caret: Caret;
}

export interface Frame extends Live {
  /** Final rows above the live rows, which are written once. The terminal wraps wider rows, which can then be copied completely. */
  readonly commits: readonly Row[];
}

export const nothingLive: Live = { rows: [], caret: { row: 0, column: 0 } };

const escape = '\u001b[';
/**
 * Delimit a synchronized update, which terminals render at once; terminals without support ignore the sequences. Lines are truncated unless stated otherwise.
 */
const [beginSync, endSync] = [`${escape}?2026h`, `${escape}?2026l`];
const [wrapOn, wrapOff] = [`${escape}?7h`, `${escape}?7l`];

const stringEnd = '\u001b\\';
const linkStart = '\u001b]8;;';
/** Marks the start of a user message as shells mark a prompt. */
const messageStart = `\u001b]133;A${stringEnd}`;
/** Whether the terminal interprets such sequences; old consoles print them. */
const knowsStrings = !/^(?:linux|vt\d|cons)/.test(process.env['TERM'] ?? '');

export interface Drawn {
  /** Output for the terminal; empty if nothing changed. */
  readonly text: string;
  /** The first row that was rewritten together with all rows below it; `undefined` if rows were changed in place. */
  readonly from: number | undefined;
}

/** Requests the width of the terminal: the reply contains the last column. */
export const askWidth = `${escape}999G${escape}6n`;

/** @param columns width of the terminal @param hasColor whether to write styles @param isAsking whether to request the width of the terminal */
export function drawFrame(before: Live, next: Frame, columns: number, hasColor: boolean, isAsking = false): Drawn {
  const rows = [...next.commits, ...next.rows];
  const caret = { row: next.commits.length + next.caret.row, column: Math.min(next.caret.column, columns - 1) };
  const pen = createPen(before, columns, hasColor, isAsking);
  // An unchanged row becomes final without being rewritten.
  const first = next.commits.findIndex((row, at) => !isSameRow(before.rows[at], row));
  if (first >= 0) pen.rewrite(rows, first, next.commits.length);
  else {
    for (const [at, row] of rows.entries()) pen.change(at, row);
    pen.eraseFrom(rows.length);
  }
  const body = pen.moveTo(caret);
  const text = body === '' ? '' : `${beginSync}${isAsking ? askWidth : ''}${body}${endSync}`;
  return { text, from: first < 0 ? undefined : first };
}

/** Erases the live rows and leaves the cursor at their start. @param above number of terminal rows above the row of the caret */
export function eraseLive(above: number): string {
  return `${above > 0 ? `${escape}${above}A` : ''}\r${escape}J`;
}

interface Pen {
  /** Updates the part of a live row that differs. */
  change(at: number, row: Row): void;
  /**
   * Rewrites all rows from the given one on, regardless of the terminal rows that the old rows occupied.
   * @param commits number of final rows; a terminal that has become narrower wraps these and truncates the others
   */
  rewrite(rows: readonly Row[], from: number, commits: number): void;
  eraseFrom(count: number): void;
  /** Returns the output so far, followed by the move to the caret. */
  moveTo(caret: Caret): string;
}

function createPen(before: Live, columns: number, hasColor: boolean, isAsking: boolean): Pen {
  let out = '';
  let at = before.caret.row;
  let column = isAsking ? -1 : before.caret.column;
  /** Number of existing rows; line feeds create further ones. */
  let there = Math.max(before.rows.length, 1);
  let isSame = true;

  function go(row: number): void {
    if (row < at) out += `${escape}${countOf(at - row)}A`;
    const down = Math.min(row, there - 1) - at;
    if (down > 0) out += `${escape}${countOf(down)}B`;
    if (row >= there) {
      out += '\r\n'.repeat(row - there + 1);
      column = 0;
      there = row + 1;
    }
    at = row;
  }

  function goColumn(wanted: number): void {
    if (wanted === column) return;
    out += wanted === 0 ? '\r' : `${escape}${wanted + 1}G`;
    column = wanted;
  }

  function write(row: Row, from: Place): void {
    out += paint(row, from, hasColor);
    const width = rowWidth(row);
    // At the right margin, the cursor stays on the last character.
    column = width < columns ? width : -1;
  }

  return {
    change(row, next) {
      const old = before.rows[row];
      if (isSameRow(old, next)) return;
      isSame = false;
      go(row);
      const from = old ? firstChange(old, next) : { span: 0, offset: 0, column: 0 };
      goColumn(from.column);
      write(next, from);
      if (old && column >= 0 && rowWidth(old) > column) out += `${escape}K`;
    },
    rewrite(rows, from, commits) {
      isSame = false;
      go(from);
      goColumn(0);
      out += `${escape}J${wrapOn}`;
      for (let row = from; row < rows.length; row++) {
        if (row > from) out += '\r\n';
        if (row === commits) out += wrapOff;
        write(rows[row] ?? [], { span: 0, offset: 0 });
      }
      at = rows.length - 1;
      there = rows.length;
    },
    eraseFrom(count) {
      if (before.rows.length <= count || before.rows.length === 0) return;
      isSame = false;
      go(count);
      goColumn(0);
      out += `${escape}J`;
    },
    moveTo(caret) {
      if (isSame && caret.row === before.caret.row && caret.column === before.caret.column) return '';
      go(caret.row);
      goColumn(caret.column);
      return out;
    },
  };
}

/** The count 1 is the default and is omitted. */
const countOf = (count: number): string => (count === 1 ? '' : String(count));

export function isSameRow(left: Row | undefined, right: Row): boolean {
  if (left === right) return true;
  return (
    left?.length === right.length && left.every((span, at) => span.text === right[at]?.text && span.style === right[at].style && span.link === right[at].link)
  );
}

interface Place {
  readonly span: number;
  readonly offset: number;
}

/** Returns the position from which a row must be rewritten, and its column. Returns the beginning if character widths differ. */
function firstChange(old: Row, next: Row): Place & { readonly column: number } {
  let column = 0;
  for (const [index, { text, style, link }] of next.entries()) {
    const other = old[index];
    if (!isPlain(text) || (other && !isPlain(other.text))) return { span: 0, offset: 0, column: 0 };
    if (other?.style !== style || other.link !== link) return { span: index, offset: 0, column };
    if (other.text === text) {
      column += text.length;
      continue;
    }
    let same = 0;
    while (same < text.length && text[same] === other.text[same]) same++;
    return { span: index, offset: same, column: column + same };
  }
  return { span: next.length, offset: 0, column };
}

/** Formats a row for output at the current cursor position. */
export function paintRow(row: Row, hasColor: boolean): string {
  return paint(row, { span: 0, offset: 0 }, hasColor);
}

function paint(row: Row, from: Place, hasColor: boolean): string {
  let out = '';
  let current = '';
  for (const [index, { text, style, link, isMessageStart }] of row.entries()) {
    if (index < from.span) continue;
    if (hasColor && style !== current) {
      out += style === '' ? `${escape}m` : `${escape}${current === '' ? '' : '0;'}${style}m`;
      current = style;
    }
    if (isMessageStart && knowsStrings) out += messageStart;
    const shown = index === from.span ? text.slice(from.offset) : text;
    out += link !== undefined && knowsStrings ? `${linkStart}${link}${stringEnd}${shown}${linkStart}${stringEnd}` : shown;
  }
  return current === '' ? out : `${out}${escape}m`;
}

/** Returns the number of terminal rows that lines of the given widths occupy. */
export function heightOf(widths: readonly number[], columns: number): number {
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
}
