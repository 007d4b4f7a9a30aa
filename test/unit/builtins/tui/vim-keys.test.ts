// Tests vim keys in the input field; `|` marks the caret.
import { expect, test } from 'vitest';
import { createField } from '../../../../builtins/clients/tui/composer/field.ts';
import { createKeyReader } from '../../../../builtins/clients/tui/screen/keys.ts';

const escape = '\u001b';

function type(field: ReturnType<typeof createField>, keys: string): void {
  const reader = createKeyReader();
  for (const sign of keys) {
    for (const input of [...reader.feed(sign), ...(sign === escape ? reader.flush() : [])]) if (input.kind === 'key') field.key(input);
  }
}

/** Sets the text, leaves insert mode with the caret at `|`, and types the keys. */
function edit(before: string, keys: string): string {
  const field = createField(() => ['sent before'], true);
  field.editor.set(before.replace('|', ''), before.indexOf('|'));
  // Escape moves the caret back by one character, except at the start of a line.
  if (!/(^|\n)\|/.test(before)) field.editor.move('right');
  type(field, escape + keys);
  const { text, caret } = field.editor;
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

test.each([
  ['on|e two', 'h', 'o|ne two'],
  ['|one two', '3l', 'one| two'],
  ['one tw|o', 'l', 'one tw|o'],
  ['|one, two', 'w', 'one|, two'],
  ['|one, two', 'ww', 'one, |two'],
  ['|one, two', 'W', 'one, |two'],
  ['|one two', '2w', 'one tw|o'],
  ['one tw|o', 'b', 'one |two'],
  ['one, tw|o', '2b', 'one|, two'],
  ['|one two', 'e', 'on|e two'],
  ['|one two', 'ee', 'one tw|o'],
  ['one t|wo', '0', '|one two'],
  ['  one t|wo', '^', '  |one two'],
  ['o|ne two', '$', 'one tw|o'],
  ['a\n|b\nc', 'gg', '|a\nb\nc'],
  ['|a\nb\nc', 'G', 'a\nb\n|c'],
  ['|ab\ncd', 'j', 'ab\n|cd'],
  ['ab\n|cd', 'k', '|ab\ncd'],
  ['|one two', 'ft', 'one |two'],
  ['|one two', 'tt', 'one| two'],
  ['one tw|o', 'Fo', '|one two'],
  ['one tw|o', 'Te', 'one| two'],
  ['|one two', 'fx', '|one two'],
  ['|', 'wbe$0x', '|'],
  ['é|😀x', 'l', 'é😀|x'],
  ['|one two', 'x', '|ne two'],
  ['|one two', '2x', '|e two'],
  ['one tw|o', 'X', 'one t|o'],
  ['a|😀b', 'x', 'a|b'],
  ['|one two', 'dw', '|two'],
  ['one |two\nthree', 'dw', 'one| \nthree'],
  ['|one two three', 'd2w', '|three'],
  ['|one two three', '2dw', '|three'],
  ['one |two', 'db', '|two'],
  ['|one two', 'de', '| two'],
  ['one |two', 'd0', '|two'],
  ['one |two', 'd$', 'one| '],
  ['one |two', 'D', 'one| '],
  ['|one two', 'dtw', '|wo'],
  ['one t|wo three', 'diw', 'one | three'],
  ['one t|wo three', 'daw', 'one |three'],
  ['one t|wo', 'daw', 'on|e'],
  ['a\n|b\nc', 'dd', 'a\n|c'],
  ['a\n|b', 'dd', '|a'],
  ['|a\nb\nc', '2dd', '|c'],
  ['|a\nb\nc', 'dj', '|c'],
  ['a\nb\n|c', 'dk', '|a'],
  ['|a\nb\nc', 'dG', '|'],
  ['|one two', 'cwred', 'red| two'],
  ['one t|wo', 'ciwred', 'one red|'],
  ['one |two', 'Cred', 'one red|'],
  ['a\no|ne\nb', 'ccred', 'a\nred|\nb'],
  ['|one', 'sx', 'x|ne'],
  ['|one two', 'ywP', 'one| one two'],
  ['|one two', 'dwp', 'tone| wo'],
  ['|a\nb', 'ddp', 'b\n|a'],
  ['a\n|b', 'yyP', 'a\n|b\nb'],
  ['|a', 'Y2p', 'a\n|a\na'],
  ['|one', 'rx', '|xne'],
  ['|one', '2~', 'ON|e'],
  ['o|ne', 'ix', 'ox|ne'],
  ['o|ne', 'ax', 'onx|e'],
  ['  o|ne', 'Ix', '  x|one'],
  ['o|ne', 'Ax', 'onex|'],
  ['on|e\ntwo', 'ox', 'one\nx|\ntwo'],
  ['on|e', 'Ox', 'x|\none'],
  [`o|ne`, `ix${escape}x`, 'o|ne'],
  ['|one two', 'dwu', '|one two'],
  ['|one two', 'xxxuu', '|ne two'],
  ['|one', `Axyz${escape}u`, '|one'],
  ['|one', 'ddu', '|one'],
  // An unknown or cancelled command changes nothing.
  ['|one', 'dqx', '|ne'],
  ['|one', `d${escape}x`, '|ne'],
])('turns %j with the keys %j into %j', (before, keys, after) => {
  expect(edit(before, keys)).toBe(after);
});

test('inserts text until Escape, starts in insert mode after sending, and shows the mode in the status', () => {
  const field = createField(() => [], true);
  type(field, 'dd');
  expect([field.text, field.vimStatus]).toEqual(['dd', 'INSERT']);
  type(field, `${escape}2d`);
  expect([field.text, field.vimStatus]).toEqual(['dd', 'NORMAL 2d']);
  type(field, 'd');
  expect([field.text, field.vimStatus]).toEqual(['', 'NORMAL']);
  field.take();
  type(field, 'x');
  expect([field.text, field.vimStatus]).toEqual(['x', 'INSERT']);
});

test('accepts text in a borrowed field in any mode, and supports history and arrow keys in normal mode', () => {
  const field = createField(() => ['sent before'], true);
  type(field, escape);
  field.borrow('', 'why');
  type(field, 'dd');
  expect([field.text, field.vimStatus]).toEqual(['dd', undefined]);
  field.giveBack();
  type(field, 'k');
  expect(field.text).toBe('sent before');
  type(field, '\u001b[D');
  expect(field.editor.caret).toBe(9);
});

test('inserts every key when vim mode is off', () => {
  const field = createField(() => [], false);
  type(field, `ab${escape}x`);
  expect([field.text, field.vimStatus]).toEqual(['abx', undefined]);
});
