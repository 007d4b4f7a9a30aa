// Tests the build output: lazy imports find their exports, and startup imports no implementation.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { stockBuiltins, stockPlatform } from '../../builtins/distribution/stock.ts';
import { root } from '../helpers/sources.ts';

test('exports from each lazily imported chunk the names that its importers use', () => {
  const dist = join(root, 'dist');
  // Build output formats: `const{default:{createTransport}}=await import("./nodemailer-XNZT6LWF.mjs")`, `(await import("./audit-V7IGBLBN.mjs")).audit`.
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

// `npm run bench` measures the startup time.
test('registers every plugin at startup without importing a lazily loaded chunk', () => {
  const probe = join(root, 'test/fixtures/boot-probe.mjs');
  const home = mkdtempSync(join(tmpdir(), 'start-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const run = spawnSync(process.execPath, [probe], { encoding: 'utf8', env: { ...process.env, APP_HOME: home } });
  const { imported, plugins } = JSON.parse(run.stdout) as { imported: string[]; plugins: number };
  expect(plugins).toBe(stockPlatform.length + stockBuiltins.length);
  // A lazily loaded chunk has the name of its file; shared chunks are named chunk. No lazy chunk may be imported at startup.
  const lazy = imported.filter((file) => /\/dist\/[a-z-]+-[A-Z0-9]{8}\.mjs$/.test(file) && !/\/chunk-\w+\.mjs$/.test(file));
  expect(lazy).toEqual([]);
});

/** Resolves `#shared/…` as in `package.json`. */
function urlOf(from: string, by: string): string {
  return from.startsWith('#') ? pathToFileURL(join(root, 'dist', `${from.slice(1)}.mjs`)).href : new URL(from, pathToFileURL(by)).href;
}

/** Paths of a destructuring pattern without braces: `default:{a,b:c},d` returns `default.a`, `default.b` and `d`. */
function pathsOf(pattern: string): string[][] {
  const inner = /^\s*(\w+)\s*:\s*\{(.*)\}\s*$/.exec(pattern);
  if (inner) return pathsOf(inner[2] ?? '').map((path) => [inner[1] ?? '', ...path]);
  return pattern.split(',').flatMap((one) => (one.trim() === '' ? [] : [[one.split(':', 1)[0]?.trim() ?? '']]));
}
