// Tests the quarantine of a failing plugin, which ends when its files change or a person enables it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const home = useFolder('quarantine-');
const folder = join(home, 'plugins');
let harness: Harness;
beforeEach(async () => {
  await mkdir(join(folder, 'fails'), { recursive: true, mode: 0o700 });
  await write('index.mjs', `export { register } from './part.mjs';`);
  await write('part.mjs', bad);
});

const write = (name: string, text: string): Promise<void> => writeFile(join(folder, 'fails', name), text, { mode: 0o600 });
const bad = 'export function register() { return undefined; }';
const start = async (): Promise<Harness> => (harness = await startHarness({ home, environment: { AGENT_PLUGIN_DIR: folder } }));
const row = async (): Promise<any> => (await harness.call('GET', '/api/plugins')).body.plugins.find(({ name }: any) => name === 'fails');
const fail = (times: number): void => {
  const job = (): never => {
    throw new Error('no change');
  };
  for (let at = 0; at < times; at++) expect(() => harness.kernel.control.runAs('fails', job, 'job')).toThrow('no change');
};
const reason = 'quarantined, because it failed 5 times within ten minutes. Last error: no change. Enable the plugin to try again, or fix it.';

test('five errors quarantine a plugin across restarts until one of its files changes', async () => {
  await start();
  fail(4);
  expect(await row()).toMatchObject({ state: 'active' });
  fail(1);
  await expect.poll(row).toMatchObject({ state: 'disabled', reason });
  await harness.close({ keepFiles: true });
  await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason });
  await harness.close({ keepFiles: true });
  await write('part.mjs', 'export function register() {}');
  await start();
  expect(await row()).toMatchObject({ state: 'active' });
  expect(JSON.parse(await readFile(join(home, 'plugin_faults.json'), 'utf8'))).toEqual({});
});

test('enabling or reloading a plugin ends its quarantine and resets the error count', async () => {
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

test('quarantines and reports a plugin that was loading when the last process ended', async () => {
  await writeFile(join(home, 'plugin-run.json'), JSON.stringify({ pid: 2 ** 30, start: '1', plugin: 'fails' }));
  const server = await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason: expect.stringContaining('it was being loaded when the program was killed or crashed.') });
  const { errors } = (await server.call('GET', '/api/plugins')).body;
  expect(errors).toContainEqual(expect.objectContaining({ plugin: 'fails', message: expect.stringContaining('was quarantined') }));
});

test('a safe start loads no third-party plugin', async () => {
  const server = await start();
  await server.close({ keepFiles: true });
  // The second unexplained end in a row.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  await writeFile(join(home, 'plugin-run.json'), JSON.stringify({ pid: 2 ** 30, start: '1', boot: boot.trim(), ends: 1 }));
  await start();
  expect(await row()).toMatchObject({ state: 'disabled', reason: expect.stringContaining('started in safe mode') });
});
