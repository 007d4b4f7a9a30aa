// Packages that load with their first use: the build can change what they give, so each is used once in the built program.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources, root } from '../../helpers/sources.ts';

test('each is named by the test that uses it in the built program, as in: late: diff', () => {
  const onServer = readSources('kernel', 'plugins', 'builtins').filter(({ path }) => !/\/app\//.test(path));
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
