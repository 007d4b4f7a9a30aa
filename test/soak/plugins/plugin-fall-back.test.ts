// An installed plugin whose new version keeps failing goes on as the version before it: exactly that one, and only because it was agreed to.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPluginVersions } from '../../../builtins/distribution/plugin-host/plugin-versions.ts';
import { runTurn } from '../../helpers/event-stream.ts';
import { packOf } from '../../helpers/plugin-packs.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { createProgram, type Program } from '../../helpers/cli-program.ts';

let program: Program;
let place: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  program = await createProgram();
  place = await mkdtemp(join(tmpdir(), 'fall-back-'));
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await program.clean();
  await rm(place, { recursive: true, force: true });
});

const code = (answer: string): string => `export const manifest = { name: 'hello', isolation: 'child' };
export function register(registry) {
  registry.add('tool', { name: 'say_hello', description: 'x', effects: ['read'], input: { type: 'object', properties: {} }, run() { ${answer} } });
}`;

async function install(version: string, text: string): Promise<void> {
  await writeFile(join(place, 'hello.tgz'), packOf({ 'index.mjs': text }, { version }));
  const { code: exit, stderr } = await program.run(['plugins', 'install', './hello.tgz', '--yes'], { folder: place });
  expect([exit, stderr]).toEqual([0, expect.anything()]);
}

const index = (): string => join(program.home, 'plugins/hello/index.mjs');
const kept = (): ReturnType<typeof openPluginVersions> => openPluginVersions(program.home);
const lock = async (): Promise<any> => JSON.parse(await readFile(join(program.home, 'plugins.lock.json'), 'utf8'));

async function start(): Promise<void> {
  server = await startServerProcess({ home: program.home, workspace: place });
  while ((await server.call('GET', '/api/config')).status === 503);
}

const rowOf = async (): Promise<any> => (await server?.call('GET', '/api/plugins'))?.body.plugins.find(({ name }: any) => name === 'hello');
const greet = async (): Promise<unknown> =>
  (await runTurn(server as never, 'call say_hello with {}')).events.find(({ kind }) => kind === 'tool_result')?.['output'];

async function failThreeTimes(): Promise<any> {
  for (let times = 0; times < 3; times++) await greet();
  const isPutAside = ({ state, warnings }: any): boolean => state === 'disabled' || (state === 'active' && warnings !== undefined);
  await expect.poll(async () => isPutAside(await rowOf()), { timeout: 20_000 }).toBe(true);
  return rowOf();
}

test('the version before goes on, also at the next start; the lock knows that it was agreed to, and an update ends it', { timeout: 120_000 }, async () => {
  await install('1.0.0', code("return 'one';"));
  kept().keep('hello', index());
  await install('2.0.0', code('process.exit(3);'));
  expect((await lock()).plugins.hello).toMatchObject({ version: '2.0.0', earlier: [{ version: '1.0.0', isolation: 'child' }] });
  await start();
  expect(await failThreeTimes()).toMatchObject({
    state: 'active',
    isolation: 'child',
    warnings: [expect.stringMatching(/^It runs its version of .* was quarantined, because it ended 3 times/)],
  });
  expect(await greet()).toBe('one');
  await server?.stop();
  await start();
  expect(await greet()).toBe('one');
  await server?.stop();
  await install('3.0.0', code("return 'three';"));
  expect((await lock()).plugins.hello.earlier.map(({ version }: any) => version)).toEqual(['2.0.0', '1.0.0']);
  await start();
  expect(await greet()).toBe('three');
  expect((await rowOf()).warnings).toBeUndefined();
});

test('a copy that is not what was agreed to does not come back, and neither does one that the lock does not know', { timeout: 120_000 }, async () => {
  await install('1.0.0', code("return 'one';"));
  kept().keep('hello', index());
  const copy = kept().lastGood('hello', index(), undefined);
  await install('2.0.0', code('process.exit(3);'));
  await appendFile(copy?.path ?? '', '\n// somebody was here');
  await start();
  expect(await failThreeTimes()).toMatchObject({ state: 'disabled', reason: expect.stringContaining('quarantined, because it ended 3 times') });
});
