// Tests creating a plugin and running its tests with the built program and `agent-harness/testing`.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTypes } from '../../../builtins/connections/plugin-life/author/build-types.ts';
import { createProgram, type Ended, type Program } from '../../helpers/cli-program.ts';
import { createCommandLine } from '../../helpers/command-line.ts';
import { root } from '../../helpers/sources.ts';

let program: Program;
let place: string;
beforeAll(async () => {
  program = await createProgram();
  place = await mkdtemp(join(tmpdir(), 'authoring-'));
});
afterAll(async () => {
  await program.clean();
  await rm(place, { recursive: true, force: true });
});
const app = async (argv: readonly string[], environment: Record<string, string> = {}): Promise<Ended> => {
  const line = await createCommandLine({ builtins: ['cli', 'plugin-life', 'memory'], folders: program });
  return line.run(argv.map((word) => (word.startsWith('./') ? join(place, word) : word)), { environment }); // prettier-ignore
};
const runTests = (path: string): Promise<Ended> => program.run(['plugins', 'test', path], { folder: place });

test('creates a plugin of at most ten lines with a passing test, which the server loads', { timeout: 60_000 }, async () => {
  const made = await app(['plugins', 'new', 'hello']);
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/\n {2}\S+ plugins dev hello\n[^]*\n {2}\S+ plugins test hello\n$/) });
  const folder = join(program.home, 'plugins/hello');
  expect((await readdir(folder)).sort()).toEqual(['greeting.turn.json', 'index.mjs', 'index.test.mjs', 'package.json']);
  const code = await readFile(join(folder, 'index.mjs'), 'utf8');
  expect(code.split('\n').filter((line) => line !== '' && !/^\/[/*]/.test(line)).length).toBeLessThanOrEqual(10);
  // A name is sufficient in the plugin folder.
  const tested = await runTests('hello');
  expect(tested.stdout).toMatch(/pass 2\n.*fail 0\n/);
  expect(tested.code).toBe(0);
  for (const command of ['test', 'dev'])
    expect(await app(['plugins', command, 'nobody'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no plugin at .*nobody, and none named 'nobody' in .*plugins\. Specify the folder or the file of the plugin/),
    });
  const rows: { name: string; state: string }[] = JSON.parse((await app(['plugins', '--json'])).stdout);
  expect(rows.find(({ name }) => name === 'hello')).toMatchObject({ origin: 'user', state: 'active' });
});

test('creates a TypeScript plugin and rebuilds it after a change', { timeout: 60_000 }, async () => {
  const folder = join(place, 'typed-hello');
  expect(await app(['plugins', 'new', 'typed-hello', '--typescript', '--dir', './'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`plugins test '${folder}'\n`),
  });
  expect((await runTests('typed-hello')).stdout).toMatch(/pass 2\n.*fail 0\n/);
  const source = await readFile(join(folder, 'index.ts'), 'utf8');
  await writeFile(join(folder, 'index.ts'), source.replace('Hello,', 'Good day,'));
  expect(await buildTypes(folder)).toEqual({ made: ['index.mjs'], faults: [] });
  expect(await readFile(join(folder, 'index.mjs'), 'utf8')).toContain('Good day,');
  await writeFile(join(folder, 'index.ts'), source.replace('run: (', 'run: (('));
  expect(await app(['plugins', 'test', './typed-hello'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/typed-hello\/index\.ts:14:\d+: Unexpected token/),
  });
});

test('reads a view by name in a plugin test', { timeout: 60_000 }, async () => {
  await mkdir(join(place, 'shown'));
  const view = "registry.add('view', { name: 'shown', title: 'Shown', read: () => ({ blocks: [{ kind: 'text', text: 'Hello' }] }) });";
  await writeFile(join(place, 'shown/index.mjs'), `export function register(registry) { ${view} }`);
  await writeFile(
    join(place, 'shown/index.test.mjs'),
    `import assert from 'node:assert/strict';
import test from 'node:test';
import { startWithPlugin } from 'agent-harness/testing';
test('it says hello', async (t) => {
  const server = await startWithPlugin(new URL('.', import.meta.url));
  t.after(() => server.stop());
  assert.equal((await server.view('shown')).blocks[0].text, 'Hello');
  await assert.rejects(server.view('missing'), /There is no view 'missing'/);
});`,
  );
  const { code, stdout } = await runTests('shown');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/pass 1\n.*fail 0\n/)]);
});

test('leaves the output of a bundler unchanged', async () => {
  await mkdir(join(place, 'bundled'));
  await writeFile(join(place, 'bundled/index.ts'), 'export function register(): void {}');
  const bundle = '// a bundle\nexport function register() {}';
  await writeFile(join(place, 'bundled/index.mjs'), bundle);
  expect(await buildTypes(join(place, 'bundled'))).toEqual({ made: [], faults: [] });
  expect(await readFile(join(place, 'bundled/index.mjs'), 'utf8')).toBe(bundle);
});

test('loads a plugin without tests and reports the reason of a failure', { timeout: 60_000 }, async () => {
  await writeFile(join(place, 'single.ts'), 'export function register(_: unknown) {}');
  await writeFile(join(place, 'single.mjs'), '');
  expect(await runTests('single.mjs')).toMatchObject({ code: 0, stdout: expect.stringContaining('It becomes active.') });
  await writeFile(join(place, 'broken.mjs'), 'export function register() { throw new Error("no luck"); }');
  const broken = await runTests('broken.mjs');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain("Plugin 'broken' failed in register(): no luck");
});

test('rejects invalid, taken and existing names and missing paths with advice', async () => {
  for (const [argv, sentence] of [
    [['new', 'Bad_Name'], "'Bad_Name' cannot be a plugin's name"],
    [['new', 'memory'], "A plugin 'memory' exists already (builtin)"],
    [['new', 'typed-hello', '--dir', './'], 'exists already; nothing was changed'],
    [['test', './nowhere'], 'Specify the folder or the file of the plugin'],
  ] as const) {
    const { code, stderr } = await app(['plugins', ...argv]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  }
  expect(await app(['plugins', 'new'])).toMatchObject({ code: 2 });
  expect(await app(['plugins', 'fly'])).toMatchObject({ code: 2, stderr: expect.stringContaining('list, reload, dev, new, test') });
});

test('installs the examples from their folders and passes their tests', { timeout: 300_000 }, async () => {
  const examples = join(root, 'examples/isolated');
  const names = ['roll-dice', 'say-hello'];
  for (const name of names) {
    const installed = await app(['plugins', 'install', join(examples, name), '--yes']);
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining(`${name} is installed, and active.`) });
  }
  expect(await app(['plugins', 'audit'])).toMatchObject({ code: 0 });
  await cp(examples, join(place, 'examples'), { recursive: true });
  await mkdir(join(place, 'node_modules'));
  await symlink(root, join(place, 'node_modules/agent-harness'));
  const { ended } = program.startProgram(process.execPath, ['--test', ...names.map((name) => `examples/${name}/index.test.mjs`)], { folder: place });
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# fail 0$|ℹ fail 0/m) });
});
