// Tests the removal of control sequences from terminal output.
import { expect, test } from 'vitest';
import { makeSafe } from '#lib/terminal';

test('removes control sequences and keeps tabs and line breaks', () => {
  expect(makeSafe('a\u001b[2Jb\u009b3Jc\td\ne\rf\u0007\u007f\u061c\u200e\u2028\u202eg\u2066')).toBe('a[2Jb3Jc\td\nefg');
  expect(makeSafe('ü 👍🏽 ✓')).toBe('ü 👍🏽 ✓');
});
