import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, nextTime, settledTime, type Version } from '../../../../plugins/lib/copies.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const version = fc
  .record({ value: fc.constantFrom('', 'a', 'b', '\u{1f600}', '\ufb01'), ms: fc.integer({ min: 0, max: 3 }), isDeleted: fc.boolean() })
  .map(({ value, ms, isDeleted }): Version => ({ value, updatedAt: at(ms), ...(isDeleted ? { deletedAt: at(ms) } : {}) }));

test('versions have a total order, so that copies converge in any order of updates', () => {
  const winner = (versions: readonly Version[]): Version => versions.reduce((best, one) => (compareVersions(one, best) > 0 ? one : best));
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b)) + Math.sign(compareVersions(b, a))).toBe(0);
      expect(compareVersions(winner([a, b, c]), winner([c, b, a]))).toBe(0);
      expect(compareVersions(winner([a, b, c]), winner([b, a, c]))).toBe(0);
    }),
  );
});

test.each<[string, Version, Version]>([
  ['the newer version', { value: 'a', updatedAt: at(2) }, { value: 'b', updatedAt: at(1) }],
  ['a deletion at the same time', { value: '', updatedAt: at(1), deletedAt: at(1) }, { value: 'z', updatedAt: at(1) }],
  ['the greater text by code units', { value: '\ufb01', updatedAt: at(1) }, { value: '\u{1f600}', updatedAt: at(1) }],
  ['an edit after the deletion', { value: 'a', updatedAt: at(3) }, { value: '', updatedAt: at(1), deletedAt: at(2) }],
])('%s wins', (_, one, other) => {
  expect(compareVersions(one, other)).toBeGreaterThan(0);
});

test('a time more than a minute ahead is set to now, and others are rounded to the millisecond', () => {
  expect([settledTime(at(70_000), 0), settledTime(at(60_000), 0), settledTime('1969-12-31T23:59:59.1234567Z', 0)]).toEqual([
    at(0),
    at(60_000),
    '1969-12-31T23:59:59.123Z',
  ]);
});

test('a change gets a later time than its predecessor, even if the clock is behind', () => {
  expect([nextTime(5, at(9)), nextTime(10, at(9)), nextTime(7, undefined)]).toEqual([at(10), at(10), at(7)]);
});
