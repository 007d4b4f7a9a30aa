// Implements the input field below the conversation: handles its keys, and passes it to overlays that need it.
import type { Key } from '../screen/keys.ts';
import type { Field } from './layer.ts';
import { composerRows, type ComposerView } from './composer-rows.ts';
import { createEditor, type Editor, type Move } from './editor.ts';
import { createHistory } from './history.ts';
import { createVimKeys } from './vim-keys.ts';

export interface ComposerField extends Field {
  readonly editor: Editor;
  readonly isBorrowed: boolean;
  /** With vim keys enabled: the mode and an incomplete command. */
  readonly vimStatus: string | undefined;
  /** Returns whether the key was handled. */
  key(key: Key): boolean;
  paste(text: string): void;
  /** Returns the complete text and clears the field. */
  take(): string;
  /** Inserts, before the current text, the messages that the agent had not read. */
  putBefore(texts: readonly string[]): void;
  view(columns: number, most: number): ComposerView;
}

const moves: Readonly<Record<string, Move>> = { left: 'left', right: 'right', home: 'line-start', end: 'line-end' };
/** Key bindings as in a shell. */
const controls: Readonly<Record<string, (editor: Editor) => void>> = {
  a: (editor) => editor.move('line-start'),
  e: (editor) => editor.move('line-end'),
  b: (editor) => editor.move('left'),
  f: (editor) => editor.move('right'),
  k: (editor) => editor.erase('line-end'),
  u: (editor) => editor.erase('line-start'),
  w: (editor) => editor.erase('word-left'),
  h: (editor) => editor.erase('left'),
  y: (editor) => editor.putBack(),
  j: (editor) => editor.insert('\n'),
  left: (editor) => editor.move('word-left'),
  right: (editor) => editor.move('word-right'),
  home: (editor) => editor.move('start'),
  end: (editor) => editor.move('end'),
  backspace: (editor) => editor.erase('word-left'),
  delete: (editor) => editor.erase('word-right'),
};
const alternates: Readonly<Record<string, (editor: Editor) => void>> = {
  b: (editor) => editor.move('word-left'),
  f: (editor) => editor.move('word-right'),
  d: (editor) => editor.erase('word-right'),
  left: (editor) => editor.move('word-left'),
  right: (editor) => editor.move('word-right'),
  backspace: (editor) => editor.erase('word-left'),
  enter: (editor) => editor.insert('\n'),
};

/** @param sentBefore returns the messages sent in this chat, oldest first @param hasVimKeys enables vim keys */
export function createField(sentBefore: () => readonly string[], hasVimKeys: boolean): ComposerField {
  const editor = createEditor();
  const vim = hasVimKeys ? createVimKeys(editor, recall) : undefined;
  const history = createHistory(sentBefore);
  let borrowed: { readonly text: string; readonly caret: number; readonly hint: string } | undefined;

  function recall(by: -1 | 1): boolean {
    if (editor.moveLine(by)) return true;
    if (borrowed) return true;
    const text = history.step(by, editor.text);
    if (text !== undefined) editor.set(text, by < 0 ? text.length : undefined);
    return true;
  }

  function edit(key: Key): boolean {
    const { name, text, ctrl, alt, shift } = key;
    if (ctrl || alt) {
      const act = (ctrl ? controls : alternates)[name];
      act?.(editor);
      return act !== undefined;
    }
    if (name === 'enter') {
      if (!shift && editor.text[editor.caret - 1] !== '\\') return false;
      if (!shift) editor.erase('left');
      editor.insert('\n');
      return true;
    }
    if (name === 'up' || name === 'down') return recall(name === 'up' ? -1 : 1);
    const move = moves[name];
    if (move) editor.move(move);
    else if (name === 'backspace') editor.erase('left');
    else if (name === 'delete') editor.erase('right');
    else if (text !== '') editor.insert(text);
    else return false;
    return true;
  }

  return {
    editor,
    get text() {
      return editor.text;
    },
    get isBorrowed() {
      return borrowed !== undefined;
    },
    get vimStatus() {
      return borrowed ? undefined : vim?.status;
    },
    key(key) {
      const before = editor.text;
      if (!borrowed && vim?.key(key)) {
        if (editor.text !== before && !/^[jk]$/.test(key.name)) history.leave();
        return true;
      }
      const isTaken = edit(key);
      if (isTaken && !borrowed) vim?.settle();
      if (isTaken && editor.text !== before && key.name !== 'up' && key.name !== 'down') history.leave();
      return isTaken;
    },
    paste: (text) => editor.paste(text),
    take() {
      const text = editor.whole();
      editor.set('');
      if (!borrowed) vim?.reset();
      if (!borrowed && text.trim() !== '') history.add(text);
      return text;
    },
    putBefore(texts) {
      if (borrowed) borrowed = { ...borrowed, text: [...texts, borrowed.text].filter((one) => one !== '').join('\n') };
      else editor.set([...texts, editor.text].filter((one) => one !== '').join('\n'));
    },
    borrow(text, hint) {
      borrowed = { text: borrowed?.text ?? editor.text, caret: borrowed?.caret ?? editor.caret, hint };
      editor.set(text);
    },
    giveBack() {
      if (!borrowed) return;
      editor.set(borrowed.text, borrowed.caret);
      borrowed = undefined;
    },
    view: (columns, most) => composerRows(editor.text, editor.caret, columns, most, borrowed?.hint ?? ''),
  };
}
