// Tests an isolated plugin whose file changes at runtime: only loaded files run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';

let home: string;
let folder: string;
let harness: Harness | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'changed-isolated-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(home, { recursive: true, force: true });
});

/** Source of a plugin that returns its version and can exit its process. */
const code = (which: string, first = ''): string => `export const manifest = { name: 'apart', isolation: 'worker' };
export function register(registry) {
  ${first}
  registry.add('route', { key: 'GET /api/which', summary: 'x', tag: 'x', schema: {}, handle: () => ({ which: '${which}' }) });
  registry.add('route', { key: 'GET /api/end', summary: 'x', tag: 'x', schema: {}, handle: () => process.exit(3) });
}`;
const write = (text: string): Promise<void> => writeFile(join(folder, 'apart.mjs'), text, { mode: 0o600 });
const which = async (): Promise<any> => (await harness?.call('GET', '/api/which'))?.body;
const rowOf = async (): Promise<any> => (await harness?.call('GET', '/api/plugins'))?.body.plugins.find(({ name }: any) => name === 'apart');
const reload = (): Promise<unknown> => harness?.call('POST', '/api/plugins/reload', {}) ?? Promise.reject(new Error('no server'));

test('reports a version that cannot register and runs the next one that loads', { timeout: 120_000 }, async () => {
  await write(code('first'));
  harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder, PATH: process.env['PATH'] } });
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second', "throw new Error('not today');"));
  await reload();
  expect(await rowOf()).toMatchObject({ state: 'active', warnings: [expect.stringContaining('not today')] });
  // The previous version stays registered, but its process cannot start from changed files.
  expect(await which()).toMatchObject({ error: { message: expect.stringContaining('its files changed after') } });
  await write(code('third'));
  await reload();
  expect(await which()).toEqual({ which: 'third' });
  expect((await rowOf()).warnings).toBeUndefined();
});

test('does not run changed files before a reload', { timeout: 120_000 }, async () => {
  await write(code('first'));
  harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder, PATH: process.env['PATH'] } });
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second'));
  await harness.call('GET', '/api/end');
  expect(await harness.call('GET', '/api/which')).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringContaining('its files changed after') } },
  });
  // Runs again after the original files are restored.
  await write(code('first'));
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second'));
  await reload();
  expect(await which()).toEqual({ which: 'second' });
});
