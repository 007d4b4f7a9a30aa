// Tests user plugins that load after the server answers: their routes wait for them, and app.start reaches them at each start.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';

let home: string;
let server: ServerProcess | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'late-plugins-'));
  await mkdir(join(home, 'plugins'), { mode: 0o700 });
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

test.each(['process', 'child'])('receives app.start and serves its route in a %s', async (isolation) => {
  await writeFile(
    join(home, 'plugins/late.mjs'),
    `export const manifest = { name: 'late', isolation: '${isolation}', capabilities: { hooks: ['app.start'] } };
    let starts = 0;
    export function register(registry, emitter) {
      emitter.tap('app.start', () => { starts++; });
      registry.add('route', { key: 'GET /api/late', summary: 'x', tag: 'x', schema: {}, handle: async () => ({ starts }) });
    }`,
    { mode: 0o600 },
  );
  for (let start = 0; start < 2; start++) {
    server = await startServerProcess({ home, workspace: home, environment: { AGENT_PLUGIN_ASK: '0' } });
    const { call } = server;
    await expect.poll(async () => (await call('GET', '/api/late')).body).toEqual({ starts: 1 });
    await server.stop();
    server = undefined;
  }
});

test('shuts down cleanly despite a plugin with endless work in the process', async () => {
  await writeFile(
    join(home, 'plugins/endless.mjs'),
    `export const manifest = { name: 'endless', isolation: 'process' };
    export function register(registry, emitter) {
      setInterval(() => undefined, 1_000);
      emitter.tap('app.start', async () => { for (;;) await new Promise((resolve) => setTimeout(resolve, 1_000)); });
      registry.add('route', { key: 'GET /api/endless', summary: 'x', tag: 'x', schema: {}, handle: async () => ({ fine: true }) });
    }`,
    { mode: 0o600 },
  );
  server = await startServerProcess({ home, workspace: home });
  await expect.poll(async () => (await server?.call('GET', '/api/endless'))?.body).toEqual({ fine: true });
  expect(await server.stop()).toBe(0);
  server = undefined;
});
