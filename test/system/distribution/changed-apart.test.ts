// An isolated plugin whose file changes while the server runs: only files that were read run.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../helpers/harness.ts';

let home: string;
let folder: string;
let harness: Harness | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'changed-apart-'));
  folder = join(home, 'plugins');
  await mkdir(folder, { mode: 0o700 });
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(home, { recursive: true, force: true });
});

/** Answers which one it is, and can end its process. */
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

test('a version that cannot register is reported; once it loads, it runs', { timeout: 120_000 }, async () => {
  await write(code('first'));
  harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder, PATH: process.env['PATH'] } });
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second', "throw new Error('not today');"));
  await reload();
  expect(await rowOf()).toMatchObject({ state: 'active', warnings: [expect.stringContaining('not today')] });
  // The version before stays registered; its process cannot start from other files.
  expect(await which()).toMatchObject({ error: { message: expect.stringContaining('its files changed after') } });
  await write(code('third'));
  await reload();
  expect(await which()).toEqual({ which: 'third' });
  expect((await rowOf()).warnings).toBeUndefined();
});

test('files that were not read do not run', { timeout: 120_000 }, async () => {
  await write(code('first'));
  harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder, PATH: process.env['PATH'] } });
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second'));
  await harness.call('GET', '/api/end');
  expect(await harness.call('GET', '/api/which')).toMatchObject({
    status: 503,
    body: { error: { message: expect.stringContaining('its files changed after') } },
  });
  // With the files that were read it runs again.
  await write(code('first'));
  expect(await which()).toEqual({ which: 'first' });
  await write(code('second'));
  await reload();
  expect(await which()).toEqual({ which: 'second' });
});
