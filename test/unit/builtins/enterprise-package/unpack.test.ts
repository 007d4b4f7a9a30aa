import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { judgePackage, readPackageClaims, type PackageClaims } from '../../../../builtins/account/enterprise-package/package-claims.ts';
import { filesOf, unpack } from '../../../../builtins/account/enterprise-package/unpack.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const archiveOf = (...names: string[]): Uint8Array => zipSync(Object.fromEntries(names.map((name) => [name, strToU8(name)])));

const folder = useFolder('unpack-');

test('unpacks files into the target folder only', async () => {
  await unpack(archiveOf('a/index.mjs', 'a/b/c.txt', 'd.mjs'), join(folder, 'new'));
  expect((await readdir(join(folder, 'new'), { recursive: true })).sort()).toEqual(['a', 'a/b', 'a/b/c.txt', 'a/index.mjs', 'd.mjs']);
  expect(await readFile(join(folder, 'new/a/b/c.txt'), 'utf8')).toBe('a/b/c.txt');
  await expect(unpack(archiveOf('a.mjs'), join(folder, 'new'))).rejects.toThrow('EEXIST');
});

test.each([
  '../a.mjs',
  'a/../../b.mjs',
  '/etc/passwd',
  'a//b.mjs',
  './a.mjs',
  'a/./b',
  'a\\..\\b.mjs',
  'C:/a.mjs',
  '.hidden/index.mjs',
  'a/.package.json',
  'con.mjs',
  'a/nul',
  'a.',
  'a ',
  'a\u0000.mjs',
  'a\n.mjs',
  `${'x/'.repeat(30)}y.mjs`,
  'x'.repeat(300),
])('rejects an archive that contains the file name %j', (name) => {
  expect(() => filesOf(archiveOf('fine.mjs', name))).toThrow('a file with the forbidden name');
});

test('rejects names that differ only in case, a file in place of a folder, and invalid archives', () => {
  expect(() => filesOf(archiveOf('a.mjs', 'A.mjs'))).toThrow('more than once');
  expect(() => filesOf(archiveOf('a', 'a/b'))).toThrow('through a file');
  for (const wrong of [new Uint8Array(), strToU8('nothing'), archiveOf('a.mjs').subarray(0, 30)]) expect(() => filesOf(wrong)).toThrow();
});

const claims = { version: '1.2.0', sha256: 'a'.repeat(64), size: 10, iat: 100 };

test('reads version, hash, size and time of a manifest, and rejects invalid values', () => {
  expect(readPackageClaims(claims)).toEqual({ ...claims, isRollback: false });
  expect(readPackageClaims({ ...claims, minVersion: '2.0.0', rollback: true })).toEqual({ ...claims, minVersion: '2.0.0', isRollback: true });
  const wrong = [
    { version: '1' },
    { version: '../1.0.0' },
    { sha256: 'A'.repeat(64) },
    { sha256: 'a' },
    { size: 0 },
    { size: 1.5 },
    { size: 1e12 },
    { minVersion: 'x' },
    { iat: 'now' },
  ];
  for (const one of wrong) expect(readPackageClaims({ ...claims, ...one })).toBeUndefined();
});

test('rejects older packages, and accepts a rollback only if it was signed after the installed package', () => {
  const offered = (more: Partial<PackageClaims>): PackageClaims => ({ ...claims, isRollback: false, ...more });
  const installed = offered({});
  expect(judgePackage(offered({}), undefined, '1.0.0')).toBe('install');
  expect(judgePackage(offered({}), installed, '1.0.0')).toBe('same');
  expect(judgePackage(offered({ version: '1.3.0', sha256: 'b' }), installed, '1.0.0')).toBe('install');
  expect(judgePackage(offered({ sha256: 'b' }), installed, '1.0.0')).toBe('older');
  expect(judgePackage(offered({ version: '1.1.0' }), installed, '1.0.0')).toBe('older');
  expect(judgePackage(offered({ version: '1.1.0', isRollback: true, iat: 101 }), installed, '1.0.0')).toBe('install');
  expect(judgePackage(offered({ version: '1.1.0', isRollback: true, iat: 99 }), installed, '1.0.0')).toBe('older');
  expect(judgePackage(offered({ minVersion: '1.0.1' }), undefined, '1.0.0')).toBe('needs_newer_program');
});

test('without a rollback, no order of offers lowers the version', () => {
  const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(fc.array(version, { maxLength: 12 }), (offers) => {
      let installed: PackageClaims | undefined;
      const seen: string[] = [];
      for (const [at, one] of offers.entries()) {
        const offer = { ...claims, version: one, sha256: String(at), isRollback: false, iat: at };
        if (judgePackage(offer, installed, '1.0.0') !== 'install') continue;
        installed = offer;
        seen.push(one);
      }
      expect(seen).toEqual([...new Set(seen)].sort());
    }),
  );
});
