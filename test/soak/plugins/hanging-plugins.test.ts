// Plugins that hang until their limit of five seconds, in series: the built server answers meanwhile and runs on without them.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../helpers/server-process.ts';

test('plugins that hang at import or in register() are rows with a reason; until then what needs every plugin answers 503', async () => {
  const place = await mkdtemp(join(tmpdir(), 'hanging-plugins-'));
  await mkdir(join(place, 'plugins'), { mode: 0o700 });
  for (const name of ['hangs.mjs', 'hangs-at-import.mjs', 'fine.mjs'])
    await copyFile(join(import.meta.dirname, '../../fixtures/plugins/broken', name), join(place, 'plugins', name));
  const server = await startServerProcess({ home: place, workspace: place });
  onTestFinished(async () => {
    await server.stop('SIGKILL');
    await rm(place, { recursive: true, force: true });
  });
  expect((await server.call('GET', '/api/status')).status).toBe(200);
  let ready = await server.call('GET', '/api/config');
  expect(ready.status).toBe(503);
  while (ready.status === 503) {
    expect(ready.body.error.code).toBe('not_ready');
    ready = await server.call('GET', '/api/config');
  }
  const rows = Object.fromEntries((await server.call('GET', '/api/plugins')).body.plugins.map((row: any) => [row.name, row]));
  expect(rows['fine']).toMatchObject({ state: 'active' });
  expect(rows['hangs']).toMatchObject({ state: 'failed', reason: expect.stringContaining('did not finish its register() within 5000 ms') });
  expect(rows['hangs-at-import']).toMatchObject({ state: 'failed', reason: expect.stringContaining('5000 ms') });
});
