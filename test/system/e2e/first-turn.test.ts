// Tests the first turn of the built program: preloaded code, no side effects, and clean output.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream } from '../../helpers/event-stream.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { root } from '../../helpers/sources.ts';

let model: ScriptedModel;
let home: string;
let server: ServerProcess;
beforeEach(async () => {
  model = await startScriptedModel(() => ({ text: 'Done.' }));
  home = await mkdtemp(join(tmpdir(), 'first-turn-'));
});
afterEach(async () => {
  await server?.stop();
  await model.close();
  await rm(home, { recursive: true, force: true });
});

async function start(options: string): Promise<void> {
  server = await startServerProcess({
    home,
    workspace: home,
    environment: { ...model.environment, NODE_OPTIONS: options, IMPORT_LOG: join(home, 'imports.log') },
  });
}

async function runTurn(): Promise<void> {
  const stream = await openEventStream(server);
  const { turnId } = (await server.call('POST', '/api/message', { text: 'hello' })).body;
  const end = await stream.until((event: any) => event.turnId === turnId && event.kind === 'turn_end');
  expect(end['reason']).toBe('done');
  stream.close();
}

const imports = async (): Promise<string[]> => (await readFile(join(home, 'imports.log'), 'utf8')).split('\n').filter((url) => url.includes('/dist/'));

/** Resolves when the idle preloading has finished. */
async function startAndWarmUp(): Promise<void> {
  const hook = pathToFileURL(join(root, 'test/fixtures/log-imports/register.mjs')).href;
  await start(`--import ${hook}`);
  const parts = ['transport', 'adapter', 'open-memory', 'workspace-skills', 'app', 'scheduler', 'cron'];
  let before = 0;
  await expect
    .poll(async () => {
      const loaded = await imports();
      // Imports of a part are logged after the part itself.
      const isGrowing = loaded.length > before;
      before = loaded.length;
      return { isGrowing, missing: parts.filter((part) => !loaded.some((url) => url.includes(`/${part}-`))) };
    })
    .toEqual({ isGrowing: false, missing: [] });
}

test('preloads all code for the first message while the server is idle', async () => {
  await startAndWarmUp();
  const before = await imports();
  await runTurn();
  expect((await imports()).slice(before.length)).toEqual([]);
});

test('preloads without writing files, creating chats or contacting the provider', async () => {
  await startAndWarmUp();
  await server.call('GET', '/api/status');
  expect([model.requests.length, model.connections]).toEqual([0, 0]);
  const names = await readdir(home);
  expect(names.filter((name) => ['chats', 'usage.jsonl', 'active_chat.json', 'event_id.json', 'running'].includes(name))).toEqual([]);
  expect(server.output()).not.toMatch(/warn|error/i);
});

test('prints no Node warnings', async () => {
  await start('--pending-deprecation');
  await runTurn();
  expect(server.output()).not.toMatch(/Warning|DEP\d+/);
});

test('stores compiled code below the home folder for the next start', async ({ skip }) => {
  if (!('enableCompileCache' in nodeModule)) skip('this node has no store of compiled code');
  await start('');
  const folder = join(home, 'cache', 'code');
  await expect.poll(async () => (existsSync(folder) ? (await readdir(folder, { recursive: true })).length : 0)).toBeGreaterThan(50);
});

test('sends a first request below 9 kB', async () => {
  await start('');
  await runTurn();
  const body = JSON.stringify(model.requests.at(-1)?.body).replaceAll(home, '');
  expect(body.length).toBeGreaterThan(5_000);
  expect(body.length).toBeLessThan(9_000);
});
