import { expect, test } from 'vitest';
import { createKeyReader, type Input } from '../../../../builtins/clients/tui/screen/keys.ts';

const shown = (inputs: readonly Input[]): string[] =>
  inputs.map((input) => (input.kind === 'paste' ? `paste ${JSON.stringify(input.text)}` : input.kind === 'key' ? input.name : input.kind));

test.each([
  ['lines with CR in one read', 'one\rtwo\rthree', ['paste "one\\ntwo\\nthree"']],
  ['lines with CRLF and tabs', 'a\tb\r\nc\r\n', ['paste "a\\tb\\nc\\n"']],
  ['lines with LF', 'a\nb', ['paste "a\\nb"']],
  ['a line and Enter', 'ab\r', ['a', 'b', 'enter']],
  ['Enter alone', '\r', ['enter']],
  ['Enter and Ctrl+C', '\r\u0003', ['enter', 'c']],
  ['a bracketed paste', '\u001b[200~one\rtwo\u001b[201~', ['paste "one\\ntwo"']],
  ['Enter before a sequence', 'a\r\u001b[A', ['a', 'enter', 'up']],
])('reads %s', (_, text, expected) => {
  expect(shown(createKeyReader().feed(text))).toEqual(expected);
});

test('reads a bracketed paste split over several chunks as one', () => {
  const reader = createKeyReader();
  expect(shown(['\u001b[200~a\r', 'b\rc', '\u001b[201~'].flatMap((text) => reader.feed(text)))).toEqual(['paste "a\\nb\\nc"']);
});
