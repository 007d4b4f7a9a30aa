// A plugin that keeps failing is quarantined until its files change or a person enables it.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let home: string;
let folder: string;
let harness: Harness | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'quarantine-'));
  folder = join(home, 'plugins');
  await mkdir(join(folder, 'fails'), { recursive: true, mode: 0o700 });
  await write('index.mjs', `export { register } from './part.mjs';`);
  await write('part.mjs', bad);
});
afterEach(async () => {
  await harness?.close();
  harness = undefined;
  await rm(home, { recursive: true, force: true });
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, 'fails', name), text, { mode: 0o600 });
const bad = 'export function register() { return undefined; }';
const start = async (): Promise<Harness> => (harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder } }));
const row = async (): Promise<any> => (await harness?.call('GET', '/api/plugins'))?.body.plugins.find(({ name }: any) => name === 'fails');
const fail = (times: number): void => {
  const job = (): never => {
    throw new Error('no change');
  };
  for (let at = 0; at < times; at++) expect(() => harness?.kernel.control.runAs('fails', job, 'job')).toThrow('no change');
};
const reason = 'quarantined, because it failed 5 times within ten minutes. Last error: no change. Enable the plugin to try again, or fix it.';

test('five faults quarantine it, at later starts, too; a change of any of its files ends that', async () => {
  await start();
  fail(4);
  expect(await row()).toMatchObject({ state: 'active' });
  fail(1);
  await expect.poll(row).toMatchObject({ state: 'disabled', reason });
  await harness?.close({ keepFiles: true });
  await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason });
  await harness?.close({ keepFiles: true });
  await write('part.mjs', 'export function register() {}');
  await start();
  expect(await row()).toMatchObject({ state: 'active' });
  expect(JSON.parse(await readFile(join(home, 'plugin_faults.json'), 'utf8'))).toEqual({});
});

test('enabling or reloading it ends the quarantine, and faults count from zero again', async () => {
  const server = await start();
  for (const again of [() => server.call('PUT', '/api/plugins/fails', { disabled: false }), () => server.call('POST', '/api/plugins/reload', {})]) {
    fail(5);
    await expect.poll(row).toMatchObject({ state: 'disabled', reason });
    await again();
    expect(await row()).toMatchObject({ state: 'active' });
    fail(4);
    expect(await row()).toMatchObject({ state: 'active' });
    fail(1);
    await expect.poll(row).toMatchObject({ state: 'disabled' });
    await again();
  }
});

test('a plugin that was loading when the last process ended is quarantined, and the start reports it', async () => {
  await writeFile(join(home, 'plugin-run.json'), JSON.stringify({ pid: 2 ** 30, start: '1', plugin: 'fails' }));
  const server = await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason: expect.stringContaining('it was being loaded when the program was killed or crashed.') });
  const { errors } = (await server.call('GET', '/api/plugins')).body;
  expect(errors).toContainEqual(expect.objectContaining({ plugin: 'fails', message: expect.stringContaining('was quarantined') }));
});

test('a safe start loads no third-party plugin', async () => {
  const server = await start();
  await server.close({ keepFiles: true });
  // The second end in a row without a name.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  await writeFile(join(home, 'plugin-run.json'), JSON.stringify({ pid: 2 ** 30, start: '1', boot: boot.trim(), ends: 1 }));
  await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason: expect.stringContaining('started in safe mode') });
});
