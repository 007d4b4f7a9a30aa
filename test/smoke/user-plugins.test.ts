// Tests user plugins in the built server.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTurn } from '../helpers/event-stream.ts';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';

let server: ServerProcess;
let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'user-plugins-'));
  const isQuick = (path: string): boolean => !/hangs[\w-]*\.mjs$/.test(path);
  await cp(join(import.meta.dirname, '../fixtures/plugins/broken'), join(place, 'plugins'), { recursive: true, filter: isQuick });
  server = await startServerProcess({ home: place, workspace: place });
});
afterAll(async () => {
  await server.stop();
  await rm(place, { recursive: true, force: true });
});

test('lists plugins that throw, do not parse, clash or miss a service with a reason, and keeps running', async () => {
  let ready = await server.call('GET', '/api/config');
  while (ready.status === 503) ready = await server.call('GET', '/api/config');
  const { plugins } = (await server.call('GET', '/api/plugins')).body;
  const rows = Object.fromEntries(plugins.filter((row: any) => row.origin === 'user').map((row: any) => [row.name, row]));
  expect(rows['fine']).toMatchObject({ state: 'active', adds: expect.any(Array), bootMs: expect.any(Number) });
  expect(rows['throws']).toMatchObject({ state: 'failed', reason: "Plugin 'throws' failed in register(): no luck in register" });
  expect(rows['syntax-error']).toMatchObject({ state: 'failed', reason: expect.stringContaining('could not be imported') });
  expect(rows['duplicate-tool']).toMatchObject({ state: 'failed', reason: expect.stringMatching(/read_file.*'?files'?/) });
  expect(rows['undeclared-service']).toMatchObject({ state: 'failed', reason: expect.stringContaining("reads service 'vault' without listing it") });
  expect(rows['missing-service']).toMatchObject({ state: 'unmet', reason: "needs service 'crystalBall', which no plugin provides" });
  expect(plugins.filter((row: any) => row.origin !== 'user' && row.state !== (row.entitlement === undefined ? 'active' : 'locked'))).toEqual([]);
  expect(ready.body.plugins.find((row: any) => row.name === 'throws')).toMatchObject({ state: 'failed', reason: expect.any(String) });
  expect(server.output()).toContain('throws');
});

test('runs the tool of a plugin without a manifest and keeps the built-in tool on a name clash', async () => {
  const { events } = await runTurn(server as never, 'call roll_dice with {"sides": 6}');
  expect(events.find((event) => event.kind === 'tool_result')).toMatchObject({ name: 'roll_dice', ok: true, output: 'You rolled 6.' });
  const { tools } = (await server.call('GET', '/api/tools')).body;
  expect(tools.filter((tool: any) => tool.name === 'read_file')).toMatchObject([{ plugin: 'files' }]);
});
