import { expect, test } from 'vitest';
import { isSameSecret } from '../../../../plugins/lib/hash.ts';

test.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
])('secrets %j and %j: the same is %s, whatever their lengths', (one, other, isSame) => {
  expect(isSameSecret(one, other)).toBe(isSame);
});
