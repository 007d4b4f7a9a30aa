// Tests plugin placement, in the process or isolated, and the registration cache of isolated plugins.
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRegistrationCache, type RegistrationCache } from '../../../builtins/distribution/plugin-host/registration-cache.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';

let harness: Harness | undefined;
let folder: string;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Starts a server with these files in its plugin folder. */
async function start(files: Readonly<Record<string, string>>, environment: Record<string, string> = {}, home?: string): Promise<Harness> {
  if (!home) folder = await mkdtemp(join(tmpdir(), 'by-default-'));
  await mkdir(join(folder, 'mine'), { mode: 0o700, recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, 'mine', name, '..'), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'mine', name), text, { mode: 0o600 });
  }
  harness = await startHarness({
    ...(home ? { home } : {}),
    environment: { ...environment, AGENT_PLUGIN_DIR: join(folder, 'mine'), PATH: process.env['PATH'] },
  });
  return harness;
}

const rowOf = async (name: string): Promise<any> => (await (harness as Harness).call('GET', '/api/plugins')).body.plugins.find((row: any) => row.name === name);
const get = async (path: string): Promise<any> => (await (harness as Harness).call('GET', `/api/${path}`)).body;
const route = (path: string, handle: string): string =>
  `registry.add('route', { key: 'GET /api/${path}', summary: 'x', tag: 'x', schema: {}, handle: async (context) => { ${handle} } });`;
const register = (body: string): string => `export function register(registry, emitter) { ${body} }`;

test('runs a user plugin in the process unless its manifest or a person isolates it', async () => {
  const fine = (more: string): string => `${more} ${register(route('fine', `return { home: typeof process.env.PATH };`))}`;
  const server = await start({ 'fine.mjs': fine('') });
  expect(await rowOf('fine')).toMatchObject({ state: 'active' });
  expect(await rowOf('fine')).not.toHaveProperty('isolation');
  expect(await get('fine')).toEqual({ home: 'string' });
  const choose = async (isolation: string | null): Promise<any> => (await server.call('PUT', '/api/plugins/fine/trust', { isolation })).body.plugin;
  expect(await choose('child')).toMatchObject({ isolation: 'child', chosen: 'child' });
  expect(await get('fine')).toEqual({ home: 'undefined' });
  expect(await choose(null)).not.toHaveProperty('isolation');
  // Manifests of version 0.1 use `worker`.
  for (const isolation of ['worker', 'child']) {
    await writeFile(join(folder, 'mine/fine.mjs'), fine(`export const manifest = { name: 'fine', isolation: '${isolation}' };`), { mode: 0o600 });
    await server.call('POST', '/api/plugins/reload', {});
    expect(await rowOf('fine')).toMatchObject({ state: 'active', isolation: 'child' });
    expect(await get('fine')).toEqual({ home: 'undefined' });
  }
});

test('requires approval of capabilities before a plugin runs, then grants them', async () => {
  const text = `import { writeFileSync, mkdirSync } from 'node:fs';
    export const manifest = { name: 'asks', isolation: 'child', capabilities: { write: [], events: ['turn_start'], hooks: ['turn.before'] } };
    ${register(`let heard = 0; emitter.on('turn_start', () => { heard++; });
      emitter.tap('turn.before', (turn) => { heard += typeof turn.waiting === 'undefined' && turn.notes === undefined && turn.text === 'hello' ? 10 : 0; });
      ${route('asks', `mkdirSync(registry.plugin.dataDir, { recursive: true }); writeFileSync(registry.plugin.dataDir + '/own.txt', 'own'); return { heard };`)}`)}`;
  const server = await start({ 'asks.mjs': text }, { AGENT_PLUGIN_ASK: '1' });
  const asks = ['It reads your messages before each turn.', "It receives the event 'turn_start'."];
  expect(await rowOf('asks')).toMatchObject({ state: 'failed', asks });
  expect((await server.call('PUT', '/api/plugins/asks/trust', { asks })).body.plugin).toMatchObject({
    state: 'active',
    isolation: 'child',
    capabilities: asks,
  });
  const { turnId } = (await server.call('POST', '/api/message', { text: 'hello' })).body;
  await server.kernel.resolve('turns').ended(turnId);
  await expect.poll(async () => (await get('asks')).heard).toBe(11);
  expect(await readFile(join(server.home, 'plugin-data/asks/own.txt'), 'utf8')).toBe('own');
});

test('keeps the row of a plugin during a reload', async () => {
  const server = await start({ 'slow.mjs': register(route('slow', `return { at: 1 };`)) });
  await writeFile(join(folder, 'mine/slow.mjs'), `await new Promise((resolve) => setTimeout(resolve, 300)); ${register(route('slow', `return { at: 2 };`))}`, {
    mode: 0o600,
  });
  const reloading = server.call('POST', '/api/plugins/reload', {});
  let isOver = false;
  void reloading.then(() => (isOver = true));
  while (!isOver) expect(await rowOf('slow')).toMatchObject({ name: 'slow' });
  expect(await get('slow')).toEqual({ at: 2 });
});

test('caches registrations in one file, detects changes by content and removes deleted plugins', async () => {
  const manifest = `export const manifest = { name: 'fine', isolation: 'child' };`;
  const text = (answer: string): string => `${manifest} ${register(route('fine', `return { answer: '${answer}' };`))}`;
  const server = await start({ 'fine.mjs': text('one'), 'gone.mjs': `export const manifest = { name: 'gone', isolation: 'child' }; ${register('')}` });
  const file = join(folder, 'mine/fine.mjs');
  const long = new Date(Date.now() - 100_000);
  await utimes(file, long, long);
  await expect.poll(() => readdirSync(join(server.home, 'plugin-cache'))).toContain('plugins.bin');
  await server.close({ keepFiles: true });
  await rm(join(folder, 'mine/gone.mjs'));
  await start({}, {}, server.home);
  expect(await get('fine')).toEqual({ answer: 'one' });
  await harness?.close({ keepFiles: true });
  await writeFile(file, text('two'), { mode: 0o600 });
  await utimes(file, long, long);
  const again = await start({}, {}, server.home);
  expect(await rowOf('fine')).toMatchObject({ state: 'active', isolation: 'child' });
  expect(await get('fine')).toEqual({ answer: 'two' });
  await expect.poll(async () => (await readFile(join(again.home, 'plugin-cache/plugins.bin'))).includes('gone.mjs')).toBe(false);
});

test('reuses a cached registration for unchanged files and detects a change', async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
  const path = join(folder, 'one.mjs');
  await writeFile(path, 'export function register() {}');
  const open = (): RegistrationCache => openRegistrationCache(join(folder, 'kept'), true);
  const first = open();
  expect(first.of(path).values).toEqual({});
  first.of(path).keep({ manifest: { name: 'one' } });
  // A placement chosen by a person does not change the manifest of the file.
  first.of(path).keep({ manifest: { name: 'one', isolation: 'child' } });
  await expect.poll(() => existsSync(join(folder, 'kept/plugins.bin'))).toBe(true);
  const later = open();
  expect(later.of(path).values).toEqual({ manifest: { name: 'one' } });
  expect(later.of(path).isUnchanged()).toBe(true);
  const before = later.of(path);
  await writeFile(path, 'export function register() { }');
  expect([before.isUnchanged(), later.changesOf(path)]).toEqual([false, '1']);
  expect(later.of(path)).toMatchObject({ values: {} });
  expect(later.of(path).isUnchanged()).toBe(true);
});
