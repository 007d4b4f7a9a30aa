// An output as a terminal would show it.
import { expect, test } from 'vitest';
import { makeSafe } from '#lib/terminal';

test('what a terminal would obey is taken out, tabs and lines stay', () => {
  expect(makeSafe('a\u001b[2Jb\u009b3Jc\td\ne\rf\u0007\u007f\u061c\u200e\u2028\u202eg\u2066')).toBe('a[2Jb3Jc\td\nefg');
  expect(makeSafe('ü 👍🏽 ✓')).toBe('ü 👍🏽 ✓');
});
