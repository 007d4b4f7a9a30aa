import { expect, test } from 'vitest';
import { isWithin, wayFrom } from '#lib/paths';

test.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/b/c', true],
  ['/a/b', '/a/bc', false],
  ['/a/b', '/a', false],
  ['/a/b', '/a/b/../c', false],
  ['/a/b', '/a/b/..c', true],
  ['/', '/anything', true],
])('isWithin: %s contains %s: %s', (folder, path, expected) => {
  expect(isWithin(folder, path)).toBe(expected);
});

test('a relative path uses slashes', () => {
  expect([wayFrom('/a', '/a/b/c'), wayFrom('/a', '/a')]).toEqual(['b/c', '']);
});
