import { expect, test } from 'vitest';
import { isSameSecret, sha256 } from '../../../../plugins/lib/hash.ts';

test('a text and its bytes have the one hash that is known of them', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect([sha256('abc'), sha256(Buffer.from('abc'))]).toEqual([known, known]);
});

test.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
])('secrets %j and %j: the same is %s, whatever their lengths', (one, other, isSame) => {
  expect(isSameSecret(one, other)).toBe(isSame);
});
