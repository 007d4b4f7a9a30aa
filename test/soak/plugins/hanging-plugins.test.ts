// Tests plugins that hang until their timeout of five seconds: the built server answers requests meanwhile.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../helpers/server-process.ts';

test('answers requests while plugins hang in their import or register() and reports them after their timeout', async () => {
  const place = await mkdtemp(join(tmpdir(), 'hanging-plugins-'));
  await mkdir(join(place, 'plugins'), { mode: 0o700 });
  for (const name of ['hangs.mjs', 'hangs-at-import.mjs', 'fine.mjs'])
    await copyFile(join(import.meta.dirname, '../../fixtures/plugins/broken', name), join(place, 'plugins', name));
  const server = await startServerProcess({ home: place, workspace: place, waitsForPlugins: false });
  onTestFinished(async () => {
    await server.stop('SIGKILL');
    await rm(place, { recursive: true, force: true });
  });
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  expect((await server.call('GET', '/api/config')).status).toBe(200);
  const { body } = await server.call('GET', '/api/plugins');
  expect(body.isLoading).toBe(true);
  await expect.poll(async () => (await server.call('GET', '/api/plugins')).body.isLoading, { timeout: 60_000 }).toBe(false);
  const rows = Object.fromEntries((await server.call('GET', '/api/plugins')).body.plugins.map((row: any) => [row.name, row]));
  expect(rows['fine']).toMatchObject({ state: 'active' });
  expect(rows['hangs']).toMatchObject({ state: 'failed', reason: expect.stringContaining('did not finish its register() within 5000 ms') });
  expect(rows['hangs-at-import']).toMatchObject({ state: 'failed', reason: expect.stringContaining('5000 ms') });
});
