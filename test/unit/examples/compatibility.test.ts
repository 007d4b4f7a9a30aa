// Checks that plugins written against version 0.1 still work unchanged. A change that requires editing one of them breaks third-party plugins.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../plugins/lib/hash.ts';
import { type Harness, startHarness, useFolderForAll } from '../../helpers/in-process.ts';

const folder = join(import.meta.dirname, '../../fixtures/plugins-of-0.1');
const written: Readonly<Record<string, string>> = {
  'greeter.mjs': '61c083fed536cc5a031cb8ec774c2186796116395fff6698771625115818e32b',
  'guard-shell.mjs': 'ce7d19033090d254685eda23cd69599072423e7c2e241b71e96e9c26c0a6af68',
  'hello-route.mjs': 'f9bb059153544e517cde6e7c91b8cf7976c1934035545f94dbc94af5918ef209',
  'hello-tool.mjs': '6a29ee3213adfe764ade74f24815c10f18f7ba2774d4857c57886b9e849af20a',
  'house-style.mjs': '5015092b10035290d329a404ab9cc85bdc5efd0bcbd4dfd0db0a9151a972c66d',
  'slash-command.mjs': 'b952dc67290e94ddd577ee7d0ad46d84d79bfc20224eb0ecfc9e7159ed82f211',
};

const systems: string[] = [];
let harness: Harness;
const copy = useFolderForAll('plugins-of-0.1-');
beforeAll(async () => {
  for (const name of await readdir(folder)) await writeFile(join(copy, name), await readFile(join(folder, name)), { mode: 0o600 });
  harness = await startHarness({
    environment: { AGENT_PLUGIN_DIR: copy, AGENT_PLUGIN_ASK: '1' },
    modules: { spy: { register: (_registry, emitter) => void emitter.tap('model.request', (request) => void systems.push(request.system)) } },
  });
});
afterAll(async () => {
  await harness.close();
});

async function say(text: string): Promise<any[]> {
  const { body } = await harness.call('POST', '/api/message', { text });
  await harness.kernel.resolve('turns').ended(body.turnId);
  const { entries } = (await harness.call('GET', `/api/chats/${body.chatId}/transcript`)).body;
  return entries.filter((entry: any) => entry.turnId === body.turnId);
}

test('the example files are unmodified, and all of them are active', async () => {
  const now = await Promise.all((await readdir(folder)).map(async (name) => [name, sha256(await readFile(join(folder, name), 'utf8'))]));
  expect(Object.fromEntries(now)).toEqual(written);
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  const rows = plugins.filter(({ origin, name }: any) => origin === 'user' && name !== 'spy').map(({ name, state, asks }: any) => [name, state, asks]);
  expect(rows).toEqual(Object.keys(written).map((name) => [name.replace('.mjs', ''), 'active', undefined]));
});

test('a tool, a guard, a prompt section, a command and a route still work', async () => {
  const [tool] = (await say('call say_hello with {"name":"Ann"}')).filter(({ kind }: any) => kind === 'tool');
  expect(tool).toMatchObject({ ok: true, output: 'Hello, Ann!' });
  const [refused] = (await say('call run_command with {"command":"rm -r x"}')).filter(({ kind }: any) => kind === 'tool');
  expect(refused).toMatchObject({ ok: false, output: expect.stringContaining('Commands that delete files are not allowed here.') });
  expect(systems.at(-1)).toContain('House style: answer in short sentences');
  expect((await harness.call('POST', '/api/commands', { name: 'roll', args: '20' })).body.text).toMatch(/^You rolled \d+ of 20\.$/);
  expect((await harness.call('GET', '/api/hello?name=Bo')).body).toEqual({ greeting: 'Hello, Bo!' });
});

test('services, settings, events, errors and disposal from a manifest still work', async () => {
  expect((await harness.call('GET', '/api/greet')).body).toMatchObject({ warmth: 5, hasTurns: true, chats: 'function', undo: [] });
  expect(harness.logs).toContain('info greeter: greeted Ann');
  await harness.call('PUT', '/api/settings', { harness: { env: { GREETER_WARMTH: '2' } } });
  expect(await harness.call('GET', '/api/greet')).toMatchObject({ status: 409, body: { error: { code: 'too_cold', message: 'Too cold to greet Ann.' } } });
  await harness.kernel.control.setDisabled(['greeter']);
  expect((await harness.call('GET', '/api/greet')).status).toBe(404);
  expect(harness.logs).toContain('info greeter: ended');
});
