import { expect, test } from 'vitest';
import { isSameSecret } from '../../../../plugins/lib/hash.ts';

test.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
])('comparing the secrets %j and %j returns %s for any lengths', (one, other, isSame) => {
  expect(isSameSecret(one, other)).toBe(isSame);
});
