// Each example plugin in the real harness, loaded as a user loads it, doing its job over HTTP.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as typedPlugin from '../../examples/plugins/typed-plugin.ts';
import { startHarness, type Harness } from '../helpers/harness.ts';

const folder = join(import.meta.dirname, '../../examples/plugins');
const systems: string[] = [];

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    environment: { AGENT_PLUGIN_DIR: folder },
    modules: {
      'typed-plugin': typedPlugin as never,
      spy: { register: (_registry, emitter) => void emitter.tap('model.request', (request) => void systems.push(request.system)) },
    },
  });
});
afterAll(async () => {
  await harness.close();
});

interface Turn {
  readonly tools: any[];
  readonly answer: string;
}

async function say(text: string): Promise<Turn> {
  const { status, body } = await harness.call('POST', '/api/message', { text });
  expect(status).toBe(202);
  await harness.kernel.resolve('turns').ended(body.turnId);
  const { entries } = (await harness.call('GET', `/api/chats/${body.chatId}/transcript`)).body;
  const own = entries.filter((entry: any) => entry.turnId === body.turnId);
  return { tools: own.filter((entry: any) => entry.kind === 'tool'), answer: own.findLast((entry: any) => entry.kind === 'assistant')?.text };
}

test('every file is loaded and active', async () => {
  const names = (await readdir(folder)).map((file) => file.replace(/\.\w+$/, ''));
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  const users = plugins.filter((plugin: any) => plugin.origin === 'user');
  expect(users).toEqual(expect.arrayContaining(names.map((name) => expect.objectContaining({ name, state: 'active' }))));
});

test('typed-plugin counts turns, and says so when there was none', async () => {
  const early = await harness.call('GET', '/api/milestone');
  expect([early.status, early.body.error]).toEqual([409, expect.objectContaining({ code: 'too_few', details: { turns: 0 } })]);
  await say('hello');
  expect((await harness.call('GET', '/api/milestone')).body).toEqual({ turns: 1, next: 10 });
});

test('hello-tool: the model calls it', async () => {
  const { tools } = await say('call say_hello with {"name": "Ann"}');
  expect(tools).toMatchObject([{ name: 'say_hello', ok: true, output: 'Hello, Ann!' }]);
});

test('guard-shell refuses to delete before anybody is asked, and lets other calls pass', async () => {
  const { tools } = await say('run `cd x; /bin/rm -rf build`, then list the files');
  expect(tools).toMatchObject([
    { name: 'run_command', ok: false, output: expect.stringContaining('Commands that delete files are not allowed here.') },
    { name: 'list_dir', ok: true },
  ]);
  expect(tools[0].approval).toBeUndefined();
});

test('slash-command answers without the model', async () => {
  const requests = systems.length;
  expect((await say('/roll 20')).answer).toMatch(/^You rolled ([1-9]|1\d|20) of 20\.$/);
  expect((await say('/roll many')).answer).toBe('Give a number of sides from 2 to 1000.');
  expect(systems).toHaveLength(requests);
});

test('hello-route greets, is documented, and needs the token', async () => {
  expect((await harness.call('GET', '/api/hello?name=Bo')).body).toEqual({ greeting: 'Hello, Bo!' });
  expect((await harness.call('GET', '/api/hello')).body).toEqual({ greeting: 'Hello, world!' });
  expect((await fetch(`${harness.url}/api/hello`)).status).toBe(401);
  expect((await harness.call('GET', '/api/openapi.json')).body.paths).toHaveProperty('/api/hello');
});

test('house-style stands in every prompt', async () => {
  await say('hello');
  expect(systems.at(-1)).toContain('write British English');
});
