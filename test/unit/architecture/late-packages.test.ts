// Packages that load with their first use: the build can change what they give, so each is used once in the built program.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { importsOf, readSources, root } from '../../helpers/sources.ts';

test('each is named by the test that uses it in the built program, as in: late: diff', () => {
  const onServer = readSources('kernel', 'plugins', 'builtins').filter(({ path }) => !/\/app\//.test(path));
  const isPackage = (from: string): boolean => !/^(\.|#page\/|node:|agent-harness\/)/.test(from);
  const late = onServer.flatMap((source) => importsOf(source).flatMap(({ from, isDynamic }) => (isDynamic && isPackage(from) ? [from] : [])));
  const tests = readdirSync(join(root, 'test/system/e2e'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'test/system/e2e', name), 'utf8'));
  const used = tests.flatMap((text) => [...text.matchAll(/^\/\/ late: (.*)$/gm)].flatMap(([, names = '']) => names.split(', ')));
  expect([...new Set(used)].sort()).toEqual([...new Set(late)].sort());
});

test('in what was built, a module that loads late has the names that are taken from it', () => {
  const dist = join(root, 'dist');
  // As the build writes it: `const{default:{createTransport}}=await import("./nodemailer-XNZT6LWF.mjs")`, `(await import("./audit-V7IGBLBN.mjs")).audit`.
  const ways =
    /\b(?:const|let|var)\s?\{([\w$:{},\s]+)\}\s?=\s?await import\("((?:\.|#shared\/)[^"]+)"\)|\(await import\("((?:\.|#shared\/)[^"]+)"\)\)\s?\.(\w+)/g;
  const taken = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) =>
      [...readFileSync(join(dist, name), 'utf8').matchAll(ways)].map(([, names, from, whole = '', one = '']) => ({
        by: name,
        url: urlOf(from ?? whole, join(dist, name)),
        paths: pathsOf(names ?? one),
      })),
    );
  expect(taken.length).toBeGreaterThan(100);
  const program = `
    for (const { by, url, paths } of ${JSON.stringify(taken)}) {
      const module = await import(url).catch((fault) => console.log(url, 'does not load:', fault.message));
      for (const path of paths) if (path.reduce((value, name) => value?.[name], module) === undefined && module) console.log(by, 'lacks', path.join('.'), 'of', url);
    }
    process.exit();`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })).toBe('');
});

/** `#shared/…` is in the package what `package.json` says. */
function urlOf(from: string, by: string): string {
  return from.startsWith('#') ? pathToFileURL(join(root, 'dist', `${from.slice(1)}.mjs`)).href : new URL(from, pathToFileURL(by)).href;
}

/** Of a destructuring pattern without braces: `default:{a,b:c},d` gives `default.a`, `default.b` and `d`. */
function pathsOf(pattern: string): string[][] {
  const inner = /^\s*(\w+)\s*:\s*\{(.*)\}\s*$/.exec(pattern);
  if (inner) return pathsOf(inner[2] ?? '').map((path) => [inner[1] ?? '', ...path]);
  return pattern.split(',').flatMap((one) => (one.trim() === '' ? [] : [[one.split(':', 1)[0]?.trim() ?? '']]));
}
