// An output as a terminal would show it.
import { expect, test } from 'vitest';
import { makeSafe, renderOutput } from 'agent-harness/lib/terminal';

test.each([
  ['\u001b[31mred\u001b[0m \u001b]0;title\u0007x\r\nnext', 'red x\nnext'],
  ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['12345\rab', 'ab345'],
  ['12345\r\u001b[Kab', 'ab'],
  ['abc\b\bX', 'aXc'],
  ['\u009b1mbold\u009b0m', 'bold'],
  ['a\u001b', 'a'],
  ['plain ✓', 'plain ✓'],
])('%j is shown as %j', (text, shown) => {
  expect(renderOutput(text)).toBe(shown);
});

test('what a terminal would obey is taken out, tabs and lines stay', () => {
  expect(makeSafe('a\u001b[2Jb\u009b3Jc\td\ne\rf\u0007\u007f\u061c\u200e\u2028\u202eg\u2066')).toBe('a[2Jb3Jc\td\nefg');
  expect(makeSafe('ü 👍🏽 ✓')).toBe('ü 👍🏽 ✓');
});
