// Implements the editor of the input field: lines, caret, kill buffer, and collapsed pastes.
import { graphemesOf } from '../screen/measure.ts';

export interface Editor {
  readonly text: string;
  /** Length in UTF-16 code units. */
  readonly caret: number;
  set(text: string, caret?: number): void;
  insert(text: string): void;
  /** Replaces the text between two offsets and moves the caret after the inserted text. Pasted text stays collapsed. */
  replace(from: number, to: number, added: string): void;
  /** Collapses a long paste into a placeholder until the message is sent. */
  paste(text: string): void;
  move(to: Move): void;
  /** Deletes from the caret to the target; deleted words and lines can be yanked. */
  erase(to: Move): void;
  putBack(): void;
  /** Moves the caret a line up or down; returns false if there is no such line. */
  moveLine(by: 1 | -1): boolean;
  /** Returns the text with expanded pastes. */
  whole(text?: string): string;
}

export type Move = 'left' | 'right' | 'word-left' | 'word-right' | 'line-start' | 'line-end' | 'start' | 'end';

const foldLines = 8;
const foldCharacters = 1_000;

export function createEditor(): Editor {
  let text = '';
  let caret = 0;
  let cut = '';
  const folded = new Map<string, string>();
  let pastes = 0;

  function target(to: Move): number {
    const before = text.slice(0, caret);
    const after = text.slice(caret);
    switch (to) {
      case 'left':
        return caret - (markAtEnd(before) ?? graphemesOf(before.slice(-64)).at(-1) ?? '').length;
      case 'right':
        return caret + (markAtStart(after) ?? graphemesOf(after.slice(0, 64))[0] ?? '').length;
      case 'word-left':
        return caret - (/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(before)?.[0] ?? '').length || caret - (/\S*\s*$/.exec(before)?.[0].length ?? 0);
      case 'word-right':
        return caret + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(after)?.[0] ?? '').length;
      case 'line-start':
        return before.lastIndexOf('\n') + 1;
      case 'line-end':
        return after.includes('\n') ? caret + after.indexOf('\n') : text.length;
      case 'start':
        return 0;
      case 'end':
        return text.length;
    }
  }

  const markAtEnd = (before: string): string | undefined => [...folded.keys()].find((mark) => before.endsWith(mark));
  const markAtStart = (after: string): string | undefined => [...folded.keys()].find((mark) => after.startsWith(mark));

  function insert(added: string): void {
    text = text.slice(0, caret) + added + text.slice(caret);
    caret += added.length;
  }

  return {
    get text() {
      return text;
    },
    get caret() {
      return caret;
    },
    set(next, at = next.length) {
      text = next;
      caret = Math.min(at, next.length);
      if (next === '') folded.clear();
    },
    insert,
    replace(from, to, added) {
      text = text.slice(0, from) + added + text.slice(to);
      caret = from + added.length;
    },
    paste(pasted) {
      const lines = pasted.split('\n').length;
      if (lines < foldLines && pasted.length < foldCharacters) return insert(pasted);
      const mark = `[pasted ${++pastes}: ${lines > 1 ? `${lines} lines` : `${pasted.length} characters`}]`;
      folded.set(mark, pasted);
      insert(mark);
    },
    move(to) {
      caret = target(to);
    },
    erase(to) {
      let end = target(to);
      // At the end of a line, the line break itself is deleted.
      if (end === caret && to === 'line-end' && caret < text.length) end++;
      if (end === caret && to === 'line-start' && caret > 0) end--;
      const [from, upTo] = end < caret ? [end, caret] : [caret, end];
      if (to !== 'left' && to !== 'right') cut = text.slice(from, upTo);
      text = text.slice(0, from) + text.slice(upTo);
      caret = from;
    },
    putBack: () => insert(cut),
    moveLine(by) {
      const start = text.lastIndexOf('\n', caret - 1) + 1;
      const column = caret - start;
      const next = by < 0 ? text.lastIndexOf('\n', start - 2) + 1 : text.indexOf('\n', caret) + 1;
      if (by < 0 ? start === 0 : next === 0) return false;
      const end = text.indexOf('\n', next);
      caret = Math.min(next + column, end < 0 ? text.length : end);
      return true;
    },
    whole(given = text) {
      let all = given;
      for (const [mark, content] of folded) all = all.replaceAll(mark, () => content);
      return all;
    },
  };
}
