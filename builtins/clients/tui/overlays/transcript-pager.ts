// Shows the whole conversation in the alternate screen, with scrolling, search and jumps between messages. Closing the pager restores the screen.
import type { ChatState, EntryMarks } from 'agent-harness/client';
import type { CodeColors } from '../rows/syntax-highlighter.ts';
import { entryRows } from '../rows/entry-rows.ts';
import { annotationRows } from '../rows/annotation-rows.ts';
import { cutRow, rowWidth } from '../screen/measure.ts';
import { paintRow } from '../screen/frame.ts';
import type { Key } from '../screen/keys.ts';
import { rowOf, spanOf, styles, textOf, type Row } from '../screen/spans.ts';
import type { Size } from '../screen/terminal.ts';
import { wrapRow } from '../screen/wrap.ts';

export interface TranscriptPager {
  /** Returns the output that renders the pager. */
  draw(size: Size, hasColor: boolean): string;
  /** Returns false if the key closes the pager. */
  key(key: Key, size: Size): boolean;
}

const escape = '\u001b[';
export const enterPager = `${escape}?1049h${escape}?25l`;
export const leavePager = `${escape}?25h${escape}?1049l`;

export function createTranscriptPager(chat: ChatState, marks: EntryMarks, colors: CodeColors): TranscriptPager {
  let rows: Row[] = [];
  /** Rows at which the user's messages begin. */
  let messages: number[] = [];
  let laidOutFor = 0;
  let top = Infinity;
  let query = '';
  let isAsking = false;

  function layOut(columns: number): void {
    if (laidOutFor === columns) return;
    laidOutFor = columns;
    rows = [];
    messages = [];
    for (const entry of chat.entries) {
      if (entry.kind === 'user') messages.push(rows.length);
      for (const row of entryRows(entry, columns - 1, true, colors)) rows.push(...(rowWidth(row) < columns ? [row] : wrapRow(row, columns - 1)));
      rows.push(...annotationRows(marks.get(entry.id), columns - 1), []);
    }
  }

  const height = (size: Size): number => Math.max(1, size.rows - 1);
  const clamp = (at: number, size: Size): number => Math.max(0, Math.min(at, rows.length - height(size)));
  const holds = (row: Row): boolean => query !== '' && textOf(row).toLowerCase().includes(query.toLowerCase());

  function find(from: number, by: 1 | -1): number {
    for (let at = from; at >= 0 && at < rows.length; at += by) if (holds(rows[at] ?? [])) return at;
    return top;
  }

  function search({ name, text, ctrl }: Key): boolean {
    if (name === 'enter' || name === 'escape') isAsking = false;
    else if (name === 'backspace') query = query.slice(0, -1);
    else if (text !== '' && !ctrl) query += text;
    return true;
  }

  function footOf(size: Size): Row {
    if (isAsking) return rowOf(`/${query}`, styles.bold);
    const last = Math.min(rows.length, top + height(size));
    return [
      spanOf(`rows ${Math.min(top + 1, last)} to ${last} of ${rows.length}`, styles.dim),
      spanOf('   ↑ ↓ PgUp PgDn  [ ] messages  / search  n N  q leaves', styles.dim),
    ];
  }

  return {
    draw(size, hasColor) {
      layOut(size.columns);
      top = clamp(top, size);
      const shown = Array.from({ length: height(size) }, (_, at) => rows[top + at] ?? []);
      const marked = shown.map((row) => (holds(row) ? row.map(({ text }) => ({ text, style: styles.reverse })) : row));
      const all = [...marked, cutRow(footOf(size), size.columns - 1)];
      return `${escape}?2026h${all.map((row, at) => `${escape}${at + 1};1H${escape}K${paintRow(row, hasColor)}`).join('')}${escape}?2026l`;
    },
    key(key, size) {
      if (isAsking) {
        const before = isAsking;
        search(key);
        if (before && key.name === 'enter') top = clamp(find(0, 1), size);
        return true;
      }
      const { name, ctrl } = key;
      if (name === 'escape' || name === 'q' || (ctrl && 'ct'.includes(name))) return false;
      if (name === '/') {
        isAsking = true;
        query = '';
      }
      const moves: Readonly<Record<string, () => number>> = {
        ...{
          up: () => top - 1,
          down: () => top + 1,
          'page-up': () => top - height(size),
          'page-down': () => top + height(size),
          ' ': () => top + height(size),
        },
        ...{ home: () => 0, end: () => rows.length, n: () => find(top + 1, 1), N: () => find(top - 1, -1) },
        '[': () => messages.findLast((at) => at < top) ?? 0,
        ']': () => messages.find((at) => at > top) ?? rows.length,
      };
      top = clamp(moves[name]?.() ?? top, size);
      return true;
    },
  };
}
