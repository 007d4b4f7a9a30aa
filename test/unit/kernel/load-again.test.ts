// A directory that is loaded again: what is unchanged is left alone, and what does not work gives way to what it was before.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadPlugins, type DirectorySource, type LoadReport } from 'agent-harness/kernel';
import { loadTestKernel, type TestKernel } from '../../helpers/test-kernel.ts';

let dir: string;
let world: TestKernel;
let said: string[];
let owner: any;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'load-again-'));
  said = [];
  owner = { register: (_: unknown, emitter: any) => void emitter.hook('who', 'waterfall') };
});
afterEach(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

const source = (): DirectorySource & { origin: 'user' } => ({
  origin: 'user',
  dir,
  importFile: (path, stamp) => import(/* @vite-ignore */ `${pathToFileURL(path).href}?v=${stamp}`),
});
const write = (name: string, text: string): Promise<void> => writeFile(join(dir, `${name}.mjs`), text);
const plugin = (answer: string, more = ''): string =>
  `${more}export function register(registry, emitter) { emitter.tap('who', (all) => [...all, '${answer}']); registry.log.info('registered ${answer}'); }`;
const who = (): Promise<string[]> => (world.kernel.emitter.call as any)('who', [[]]);
const again = (): Promise<LoadReport> => loadPlugins(world.kernel.registry, world.kernel.emitter, { sources: [source()], isAgain: true });
const rowOf = (name: string) => world.kernel.control.report().plugins.find((row) => row.name === name);

async function start(): Promise<void> {
  world = await loadTestKernel({ owner }, { sources: [source()], kernel: { log: (_level, name, message) => said.push(`${name}: ${message}`) } });
}

test('what is unchanged is not registered again; what is added, changed or gone is', async () => {
  await Promise.all([write('a', plugin('a')), write('b', plugin('b')), write('c', plugin('c'))]);
  await start();
  said.length = 0;
  await Promise.all([write('b', plugin('b, saved')), write('d', plugin('d')), rm(join(dir, 'c.mjs'))]);
  await again();
  expect(await who()).toEqual(['a', 'b, saved', 'd']);
  expect(said).toEqual(['b: registered b, saved', 'd: registered d', 'b: runs what its file holds now']);
  expect(world.errors).toEqual([]);
});

test.each([
  ['does not parse', 'export function register( {', 'could not be imported'],
  ['throws at import', plugin('x', `throw new Error('no import'); `), 'no import'],
  ['is no plugin', 'export const nothing = 1;', 'must export a function'],
  ['throws in register', `export function register() { throw new Error('no luck'); }`, 'no luck'],
  ['needs a service that nobody has', plugin('x', `export const manifest = { name: 'a', requires: ['moon'] }; `), "needs service 'moon'"],
])('a version that %s leaves its last good one running, with a warning; a good one takes over', async (_, broken, why) => {
  await Promise.all([write('a', plugin('good')), write('b', plugin('b'))]);
  await start();
  await write('a', broken);
  const report = await again();
  expect(await who()).toEqual(['good', 'b']);
  const warning = expect.stringMatching(/^Plugin 'a' goes on as it was before its file changed: /);
  expect(report.plugins.find(({ name }) => name === 'a')).toMatchObject({ state: 'active', warnings: [warning] });
  expect(rowOf('a')?.warnings[0]).toContain(why);
  expect(world.errors).toEqual([{ source: 'plugin', plugin: 'a', code: 'KRN_ERR_PLUGIN_STALE', message: warning }]);
  // It is not tried again until its file changes.
  await again();
  expect(world.errors).toHaveLength(1);
  await write('a', plugin('mended'));
  await again();
  expect(await who()).toEqual(['mended', 'b']);
  expect(rowOf('a')).toMatchObject({ state: 'active', warnings: [] });
});

test('one that failed from the start is tried again each time', async () => {
  await write('a', `export function register() { if (!globalThis.loadAgainMended) throw new Error('not yet'); }`);
  await start();
  expect(rowOf('a')?.state).toBe('failed');
  (globalThis as any).loadAgainMended = true;
  await again();
  delete (globalThis as any).loadAgainMended;
  expect(rowOf('a')?.state).toBe('active');
});
