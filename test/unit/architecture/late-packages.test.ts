// Checks that the built program exercises each lazily loaded package, because bundling can change its exports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources, root } from '../../helpers/sources.ts';

test('a test of the built program names each lazily loaded package, as in: late: diff', () => {
  const onServer = readSources('kernel', 'plugins', 'builtins').filter(({ path, text }) => !/\/app\//.test(path) && text.includes('import('));
  const isPackage = (from: string): boolean => !/^(\.|#(?:page|lib)\/|node:|agent-harness\/)/.test(from);
  const late = onServer.flatMap((source) => importsOf(source).flatMap(({ from, isDynamic }) => (isDynamic && isPackage(from) ? [from] : [])));
  const tests = ['smoke', 'system', 'soak'].flatMap((tier) =>
    readdirSync(join(root, 'test', tier), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(root, 'test', tier, name), 'utf8')),
  );
  const used = tests.flatMap((text) => [...text.matchAll(/^\/\/ late: (.*)$/gm)].flatMap(([, names = '']) => names.split(', ')));
  expect([...new Set(used)].sort()).toEqual([...new Set(late)].sort());
});
