import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, isVersion } from '../../../../plugins/lib/versions.ts';

test('versions are told from what is none', () => {
  for (const one of ['0.0.0', '1.4.2', '10.20.30', '2.0.0-beta.1', '1.0.0-x-y.z']) expect(isVersion(one)).toBe(true);
  for (const one of ['', '1', '1.2', 'v1.2.3', '1.2.3.4', '1.2.3-', '1.2.3 ', '../1.2.3', '1.2.3-a/b', '1.2.3+x']) expect(isVersion(one)).toBe(false);
});

test('the order is that of semver.org, section 11', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0',
  ];
  for (const [at, one] of order.entries()) {
    for (const [other, two] of order.entries()) expect(Math.sign(compareVersions(one, two))).toBe(Math.sign(at - other));
  }
});

test('it is an order: antisymmetric and transitive', () => {
  const part = fc.oneof(fc.nat(3).map(String), fc.constantFrom('a', 'b', 'a1'));
  const version = fc
    .tuple(fc.nat(2), fc.nat(2), fc.nat(2), fc.array(part, { maxLength: 3 }))
    .map(([x, y, z, preview]) => `${x}.${y}.${z}${preview.length > 0 ? `-${preview.join('.')}` : ''}`);
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});
