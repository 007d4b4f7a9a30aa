// Tests reloading of a plugin folder: unchanged plugins keep running, and a broken version does not replace a good one.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { LoadReport } from 'agent-harness/kernel';
import { createPluginFolders, type FolderSource, type PluginFolders } from '../../../../builtins/distribution/plugin-host/plugin-folders.ts';
import { loadTestKernel, type TestKernel } from '../../../helpers/test-kernel.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const dir = useFolder('load-again-');
const other = useFolder('other-');
let world: TestKernel;
let folders: PluginFolders;
let said: string[];
let owner: any;
beforeEach(() => {
  said = [];
  owner = { register: (_: unknown, emitter: any) => void emitter.hook('who', 'waterfall') };
});

const source = (): FolderSource => ({
  origin: 'user',
  dir,
  importFile: ({ path }, version) => import(/* @vite-ignore */ `${pathToFileURL(path).href}?v=${version}`),
});
const write = (name: string, text: string): Promise<void> => writeFile(join(dir, `${name}.mjs`), text);
const plugin = (answer: string, more = ''): string =>
  `${more}export function register(registry, emitter) { emitter.tap('who', (all) => [...all, '${answer}']); registry.log.info('registered ${answer}'); }`;
const who = (): Promise<string[]> => (world.kernel.emitter.call as any)('who', [[]]);
const again = (): Promise<LoadReport> => folders.load([source()]);
const rowOf = (name: string) => world.kernel.control.report().plugins.find((row) => row.name === name);

async function start(): Promise<void> {
  world = await loadTestKernel({ owner }, { kernel: { log: (_level, name, message) => said.push(`${name}: ${message}`) } });
  onTestFinished(async () => void (await world.close()));
  folders = createPluginFolders(world.kernel);
  await again();
}

test('reloads only changed and added plugins, and unloads removed ones', async () => {
  await Promise.all([write('a', plugin('a')), write('b', plugin('b')), write('c', plugin('c'))]);
  await start();
  said.length = 0;
  await Promise.all([write('b', plugin('b, saved')), write('d', plugin('d')), rm(join(dir, 'c.mjs'))]);
  await again();
  expect(await who()).toEqual(['a', 'b, saved', 'd']);
  expect(said).toEqual(['b: registered b, saved', 'd: registered d', 'b: runs its new version']);
  expect(world.errors).toEqual([]);
});

test.each([
  ['does not parse', 'export function register( {', 'could not be imported'],
  ['throws at import', plugin('x', `throw new Error('no import'); `), 'no import'],
  ['exports no plugin', 'export const nothing = 1;', 'must export a function'],
  ['throws in register', `export function register() { throw new Error('no luck'); }`, 'no luck'],
  ['requires a missing service', plugin('x', `export const manifest = { name: 'a', requires: ['moon'] }; `), "needs service 'moon'"],
])('a version that %s leaves the previous one running with a warning, and a good one replaces it', async (_, broken, why) => {
  await Promise.all([write('a', plugin('good')), write('b', plugin('b'))]);
  await start();
  await write('a', broken);
  const report = await again();
  expect(await who()).toEqual(['good', 'b']);
  const warning = expect.stringMatching(/^Plugin 'a' still runs the version from before its file changed: /);
  expect(report.plugins.find(({ name }) => name === 'a')).toMatchObject({ state: 'active', warnings: [warning] });
  expect(rowOf('a')?.warnings[0]).toContain(why);
  expect(world.errors).toEqual([{ source: 'plugin', plugin: 'a', code: 'KRN_ERR_PLUGIN_STALE', message: warning }]);
  // No retry until the file changes.
  await again();
  expect(world.errors).toHaveLength(1);
  await write('a', plugin('mended'));
  await again();
  expect(await who()).toEqual(['mended', 'b']);
  expect(rowOf('a')).toMatchObject({ state: 'active', warnings: [] });
});

test('a plugin that failed at the start is retried on each load', async () => {
  await write('a', `export function register() { if (!globalThis.loadAgainMended) throw new Error('not yet'); }`);
  await start();
  expect(rowOf('a')?.state).toBe('failed');
  (globalThis as any).loadAgainMended = true;
  await again();
  delete (globalThis as any).loadAgainMended;
  expect(rowOf('a')?.state).toBe('active');
});

test('a file that the source refuses is not imported, and its row contains the reason', async () => {
  await Promise.all([write('a', plugin('a')), write('b', plugin('b'))]);
  await start();
  const asked: string[] = [];
  const refuse = async (path: string): Promise<string | undefined> => {
    asked.push(path);
    return path.endsWith('c.mjs') ? 'no one signed it' : undefined;
  };
  await Promise.all([write('c', plugin('c')), write('d', plugin('d'))]);
  await folders.load([{ ...source(), refuse }]);
  expect(asked.sort()).toEqual([join(dir, 'c.mjs'), join(dir, 'd.mjs')]);
  expect(rowOf('c')).toMatchObject({ state: 'failed', code: 'KRN_ERR_PLUGIN_REFUSED', reason: "Plugin 'c' was not loaded: no one signed it" });
  expect(await who()).toEqual(['a', 'b', 'd']);
});

test('reloads a single plugin of a folder, and disables plugins that the source turns off', async () => {
  await Promise.all([write('a', plugin('a')), write('b', plugin('b'))]);
  await start();
  await Promise.all([write('a', plugin('a, saved')), write('b', plugin('b, saved'))]);
  await folders.load([source()], { only: ['b'] });
  expect(await who()).toEqual(['a', 'b, saved']);
  await folders.load([{ ...source(), off: ({ name }) => (name === 'b' ? 'quarantined' : undefined) }]);
  expect(await who()).toEqual(['a, saved']);
  expect([rowOf('a'), rowOf('b')]).toMatchObject([{ state: 'active' }, { state: 'disabled', reason: 'quarantined' }]);
  await again();
  expect(await who()).toEqual(['a, saved', 'b, saved']);
});

test('loads of one folder run in sequence, and loads of other folders do not wait', async () => {
  await write('a', `await new Promise((resolve) => (globalThis.folderGate = resolve)); ${plugin('a')}`);
  await write('b', plugin('b'));
  world = await loadTestKernel({ owner });
  folders = createPluginFolders(world.kernel);
  const [first, second] = [again(), again()];
  onTestFinished(() => void delete (globalThis as any).folderGate);
  await writeFile(join(other, 'c.mjs'), plugin('c'));
  await folders.load([{ ...source(), dir: other }]);
  expect(await who()).toEqual(['c']);
  await expect.poll(() => (globalThis as any).folderGate).toBeTypeOf('function');
  (globalThis as any).folderGate();
  await Promise.all([first, second]);
  expect((await who()).sort()).toEqual(['a', 'b', 'c']);
  expect(world.errors).toEqual([]);
});
