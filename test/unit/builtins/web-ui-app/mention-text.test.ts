// Tests mentions in a message, long pasted text, and table export.
import { expect, test } from 'vitest';
import { typedMention, withMention } from '../../../../builtins/clients/web-ui/app/chat/composer/mention-text.ts';
import { pastedFile } from '../../../../builtins/clients/web-ui/app/chat/composer/pasted-file.ts';
import { cellsOf, commaSeparated, tabbed } from '../../../../builtins/clients/web-ui/app/kit/markdown/table-text.ts';

test('starts a mention at an @ at the start of a word, up to the caret', () => {
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

test('inserts the chosen mention and preserves the surrounding text', () => {
  const typed = { start: 8, query: 'pri' };
  expect(withMention('look at @pri', 12, typed, '@src/price.ts', false)).toEqual({ text: 'look at @src/price.ts ', caret: 22 });
  expect(withMention('look at @pri now', 12, typed, '@price.ts', false)).toEqual({ text: 'look at @price.ts now', caret: 18 });
  expect(withMention('look at @pri', 12, typed, '@price/', true)).toEqual({ text: 'look at @price/', caret: 15 });
});

test('turns long pasted text into a file and keeps short text in the message', async () => {
  expect(pastedFile('short')).toBeUndefined();
  expect(pastedFile('x\n'.repeat(150))).toBeUndefined();
  const long = pastedFile('x'.repeat(9_000));
  expect([long?.name, long?.type, await long?.text()]).toEqual(['Pasted text.txt', 'text/plain', 'x'.repeat(9_000)]);
  expect(pastedFile('x\n'.repeat(300))?.size).toBe(600);
});

test('exports a table as plain cells, quoted where necessary and without spreadsheet formulas', () => {
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
