// Tests in-process plugins that kill the program without a trace: after two such ends the next start loads no third-party plugins.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugin-crash-'));
  await mkdir(join(home, 'plugins'), { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

async function start(): Promise<any> {
  server = await startServerProcess({ home, workspace: home });
  let reply = await server.call('GET', '/api/config');
  while (reply.status === 503) reply = await server.call('GET', '/api/config');
  const { plugins, errors } = (await server.call('GET', '/api/plugins')).body;
  return { row: plugins.find(({ name }: any) => name === 'mine'), notices: (errors ?? []).map(({ message }: any) => message).join() };
}
const isMarked = (): boolean => existsSync(join(home, 'plugin-run.json')) && readFileSync(join(home, 'plugin-run.json'), 'utf8').includes('"ends"');

test('starts in safe mode after two unexpected ends in a row and loads the plugins again afterwards', async () => {
  await writeFile(join(home, 'plugins/mine.mjs'), 'export function register() {}', { mode: 0o600 });
  for (let round = 0; round < 2; round++) {
    expect((await start()).row).toMatchObject({ state: 'active' });
    await expect.poll(isMarked).toBe(true);
    await server?.stop('SIGKILL');
  }
  const safe = await start();
  expect(safe.row).toMatchObject({ state: 'disabled', reason: expect.stringContaining('started in safe mode') });
  expect(safe.notices).toContain('ended unexpectedly 2 times in a row');
  await server?.stop('SIGKILL');
  expect((await start()).row).toMatchObject({ state: 'active' });
  await server?.stop();
  expect(isMarked()).toBe(false);
  expect((await start()).row).toMatchObject({ state: 'active' });
});

test('does not count unexpected ends against an isolated plugin', async () => {
  await writeFile(join(home, 'plugins/mine.mjs'), `export const manifest = { name: 'mine', isolation: 'child' };\nexport function register() {}`, {
    mode: 0o600,
  });
  for (let round = 0; round < 3; round++) {
    expect((await start()).row).toMatchObject({ state: 'active', isolation: 'child' });
    expect(isMarked()).toBe(false);
    await server?.stop('SIGKILL');
  }
});
