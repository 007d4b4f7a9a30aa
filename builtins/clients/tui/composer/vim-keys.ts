// Implements vim keys for the input field of the terminal: modes, motions, operators and undo, but no ex commands, visual mode or named registers.
import type { Key } from '../screen/keys.ts';
import type { Editor } from './editor.ts';
import { lineEnd, lineStart, motionTarget, wordAround } from './vim-motions.ts';

export interface VimKeys {
  /** Text for the status line: `INSERT`, `NORMAL`, or `NORMAL 2d` while a command is incomplete. */
  readonly status: string;
  /** Handles a key. Returns false for keys that the field or the screen handles in all modes. */
  key(key: Key): boolean;
  /** Moves the caret onto a character, as normal mode requires; call it after the field has handled a key. */
  settle(): void;
  /** Starts over in insert mode with an empty undo history, for a new message. */
  reset(): void;
}

interface Command {
  readonly count: number;
  /** `d`, `c` or `y`. */
  readonly operator: string | undefined;
  /** A motion, a text object, the operator again (for whole lines), or a command without an operator. */
  readonly name: string;
}

const complete = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?([fFtT][^]|gg|[ia][wW]|[hjklwbeWBE0^$G ]|\2)|([fFtTr][^]|gg|[hjklwbeWBE0^$G ]|[pPiaIAoOu~]))$/u;
const incomplete = /^(?:[1-9]\d*)?(?:[dcy](?:[1-9]\d*)?[fFtTiag]?|[fFtTgr])?$/;
/** Abbreviations of other commands. */
const short: Readonly<Record<string, string>> = { x: 'dl', X: 'dh', D: 'd$', C: 'c$', Y: 'yy', s: 'cl', S: 'cc' };
const byKey: Readonly<Record<string, string>> = { backspace: 'h', delete: 'x' };
/** Maximum number of stored undo steps. */
const mostSteps = 200;

/** @param stepLine moves the caret a line up or down, or to another message of the history */
export function createVimKeys(editor: Editor, stepLine: (by: -1 | 1) => void): VimKeys {
  let isNormal = false;
  let pending = '';
  let register = { text: '', isLines: false };
  const first = { text: '', caret: 0 };
  let steps = [first];

  const moveTo = (caret: number): void => editor.replace(caret, caret, '');

  function settle(): void {
    const { text, caret } = editor;
    if (isNormal && caret === lineEnd(text, caret) && caret > lineStart(text, caret)) editor.move('left');
  }

  function remember(): void {
    steps = [...steps, { text: editor.text, caret: editor.caret }].slice(-mostSteps);
  }

  function insertAt(caret: number, added = ''): void {
    editor.replace(caret, caret, added);
    isNormal = false;
  }

  /** Returns the target of a motion; `h` and `l` move by visible characters. */
  function target(name: string, count: number): number | undefined {
    if (name !== 'h' && name !== 'l') return motionTarget(editor.text, editor.caret, name, count);
    const from = editor.caret;
    const { text } = editor;
    for (let step = 0; step < count; step++) {
      if (name === 'h' ? editor.caret > lineStart(text, from) : editor.caret < lineEnd(text, from)) editor.move(name === 'h' ? 'left' : 'right');
    }
    const to = editor.caret;
    moveTo(from);
    return to;
  }

  function takeLines(operator: string, name: string, count: number): void {
    const { text, caret } = editor;
    let from = lineStart(text, caret);
    let to = lineEnd(text, caret);
    const more = name === 'j' || name === 'k' ? count : count - 1;
    if (name === 'gg') from = 0;
    else if (name === 'G') to = text.length;
    else
      for (let step = 0; step < more; step++) {
        if (name === 'k' && from > 0) from = lineStart(text, from - 1);
        if (name !== 'k' && to < text.length) to = lineEnd(text, to + 1);
      }
    register = { text: text.slice(from, to), isLines: true };
    if (operator === 'y') return;
    if (operator === 'c') {
      editor.replace(from, to, '');
      isNormal = false;
    } else {
      // Includes the line break after the line; for the last line, the line break before it.
      const isLast = to === text.length;
      editor.replace(isLast ? Math.max(0, from - 1) : from, isLast ? to : to + 1, '');
      moveTo(lineStart(editor.text, editor.caret));
    }
  }

  function takeCharacters(operator: string, name: string, count: number): void {
    const { text, caret } = editor;
    const isObject = /^[ia][wW]$/.test(name);
    // As in vim, `cw` changes to the end of the word, and `dw` stays within its line.
    const motion = operator === 'c' && /^[wW]$/.test(name) && /\S/.test(text[caret] ?? '') ? (name === 'w' ? 'e' : 'E') : name;
    const to = target(motion, count) ?? caret;
    const end = lineEnd(text, caret);
    const [from, upTo] = isObject
      ? wordAround(text, caret, name)
      : [Math.min(caret, to), Math.max(caret, /^[wW]$/.test(motion) && caret < end ? Math.min(to, end) : to)];
    if (from === upTo && operator !== 'c') return;
    if (from !== upTo) register = { text: text.slice(from, upTo), isLines: false };
    if (operator === 'y') return moveTo(from);
    editor.replace(from, upTo, '');
    if (operator === 'c') isNormal = false;
  }

  function put(isAfter: boolean, count: number): void {
    const { text, caret } = editor;
    if (register.isLines) {
      const added = Array.from({ length: count }, () => register.text).join('\n');
      const at = isAfter ? lineEnd(text, caret) : lineStart(text, caret);
      editor.replace(at, at, isAfter ? `\n${added}` : `${added}\n`);
      return moveTo(isAfter ? at + 1 : at);
    }
    if (isAfter && caret < lineEnd(text, caret)) editor.move('right');
    editor.replace(editor.caret, editor.caret, register.text.repeat(count));
    if (register.text !== '') editor.move('left');
  }

  function undo(): void {
    const last = steps.findLastIndex(({ text }) => text !== editor.text);
    const step = steps[last];
    if (!step) return;
    steps = steps.slice(0, Math.max(1, last));
    editor.replace(0, editor.text.length, step.text);
    moveTo(step.caret);
  }

  function changeCharacters(count: number, change: (sign: string) => string): void {
    for (let step = 0; step < count && editor.caret < lineEnd(editor.text, editor.caret); step++) {
      const from = editor.caret;
      editor.move('right');
      editor.replace(from, editor.caret, change(editor.text.slice(from, editor.caret)));
    }
  }

  const plain: Readonly<Record<string, (count: number) => void>> = {
    i: () => insertAt(editor.caret),
    I: () => insertAt(motionTarget(editor.text, editor.caret, '^', 1) ?? 0),
    a: () => {
      if (editor.caret < lineEnd(editor.text, editor.caret)) editor.move('right');
      insertAt(editor.caret);
    },
    A: () => insertAt(lineEnd(editor.text, editor.caret)),
    o: () => insertAt(lineEnd(editor.text, editor.caret), '\n'),
    O: () => {
      const at = lineStart(editor.text, editor.caret);
      insertAt(at, '\n');
      moveTo(at);
    },
    p: (count) => put(true, count),
    P: (count) => put(false, count),
    u: (count) => {
      for (let step = 0; step < count; step++) undo();
    },
    '~': (count) => changeCharacters(count, (sign) => (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase())),
    j: (count) => {
      for (let step = 0; step < count; step++) stepLine(1);
    },
    k: (count) => {
      for (let step = 0; step < count; step++) stepLine(-1);
    },
  };

  function run({ count, operator, name }: Command): void {
    if (operator === undefined) {
      const act = Object.hasOwn(plain, name) ? plain[name] : undefined;
      if (!act && name[0] !== 'r') {
        const to = target(name, count) ?? editor.caret;
        // An inclusive motion ends after its last character.
        moveTo(to);
        if (/^[eE$ft]/.test(name) && to > lineStart(editor.text, to)) editor.move('left');
        return;
      }
      if (name !== 'u' && name !== 'j' && name !== 'k') remember();
      if (act) return act(count);
      changeCharacters(count, () => name.slice(1));
      return editor.move('left');
    }
    remember();
    if (name === operator || /^(?:[jkG]|gg)$/.test(name)) takeLines(operator, name, count);
    else takeCharacters(operator, name, count);
  }

  function normalKey(sign: string): void {
    pending += sign;
    const [, digits = '', name = ''] = /^(\d*)(.)$/u.exec(pending) ?? [];
    const [, count, operator, more, motion, command] = complete.exec(Object.hasOwn(short, name) ? digits + (short[name] ?? '') : pending) ?? [];
    const chosen = (motion ?? command)?.replace(' ', 'l');
    if (chosen !== undefined) {
      pending = '';
      run({ count: Math.min(1_000, Number(count ?? 1) * Number(more ?? 1)), operator, name: chosen });
      settle();
    } else if (!incomplete.test(pending)) pending = '';
  }

  return {
    get status() {
      return isNormal ? `NORMAL ${pending}`.trimEnd() : 'INSERT';
    },
    settle,
    key({ name, text, ctrl, alt }) {
      if (ctrl || alt) return false;
      if (name === 'escape') {
        const isTaken = !isNormal || pending !== '';
        if (!isNormal && editor.caret > lineStart(editor.text, editor.caret)) editor.move('left');
        isNormal = true;
        pending = '';
        settle();
        return isTaken;
      }
      const sign = byKey[name] ?? text;
      if (!isNormal || sign === '') return false;
      normalKey(sign);
      return true;
    },
    reset() {
      isNormal = false;
      pending = '';
      steps = [first];
    },
  };
}
