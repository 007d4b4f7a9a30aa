// Naming things in a message, a long text that is pasted, and tables for other programs.
import { expect, test } from 'vitest';
import { typedMention, withMention } from '../../../../builtins/clients/web-ui/app/chat/composer/mention-text.ts';
import { pastedFile } from '../../../../builtins/clients/web-ui/app/chat/composer/pasted-file.ts';
import { cellsOf, commaSeparated, tabbed } from '../../../../builtins/clients/web-ui/app/kit/markdown/table-text.ts';

test('an @ at the start of a word begins a name, up to the caret', () => {
  expect(typedMention('look at @src/a and', 14)).toEqual({ start: 8, query: 'src/a' });
  expect(typedMention('@', 1)).toEqual({ start: 0, query: '' });
  expect(typedMention('(@x', 3)).toEqual({ start: 1, query: 'x' });
  for (const [text, caret] of [
    ['me@example.org', 14],
    ['@a b', 4],
    ['none', 4],
    ['@a', 0],
  ] as const) {
    expect(typedMention(text, caret), text).toBeUndefined();
  }
});

test('what is chosen stands where it was typed, and the rest stays', () => {
  const typed = { start: 8, query: 'pri' };
  expect(withMention('look at @pri', 12, typed, '@src/price.ts', false)).toEqual({ text: 'look at @src/price.ts ', caret: 22 });
  expect(withMention('look at @pri now', 12, typed, '@price.ts', false)).toEqual({ text: 'look at @price.ts now', caret: 18 });
  expect(withMention('look at @pri', 12, typed, '@price/', true)).toEqual({ text: 'look at @price/', caret: 15 });
});

test('a long text becomes a file, a short one stays in the message', async () => {
  expect(pastedFile('short')).toBeUndefined();
  expect(pastedFile('x\n'.repeat(150))).toBeUndefined();
  const long = pastedFile('x'.repeat(9_000));
  expect([long?.name, long?.type, await long?.text()]).toEqual(['Pasted text.txt', 'text/plain', 'x'.repeat(9_000)]);
  expect(pastedFile('x\n'.repeat(300))?.size).toBe(600);
});

test('a table as cells: without marks, quoted where it must be, and nothing that a spreadsheet would calculate', () => {
  const cells = cellsOf('| a | b |\n|---|---|\n| **x** | `y, z` |\n| =1+1 | a "b" c |\n| -5 | [l](http://a.b) |\n') ?? [];
  expect(cells).toEqual([
    ['a', 'b'],
    ['x', 'y, z'],
    ['=1+1', 'a "b" c'],
    ['-5', 'l'],
  ]);
  expect(tabbed(cells)).toBe('a\tb\nx\ty, z\n=1+1\ta "b" c\n-5\tl');
  expect(commaSeparated(cells)).toBe(`a,b\r\nx,"y, z"\r\n'=1+1,"a ""b"" c"\r\n-5,l\r\n`);
});
