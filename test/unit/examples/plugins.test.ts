// Tests each example plugin over HTTP in the real harness, loaded as a user plugin.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import * as typedPlugin from '../../../examples/plugins/typed-plugin.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';

const folder = join(import.meta.dirname, '../../../examples/plugins');
const systems: string[] = [];
const guestToken = 'a-token-of-a-guest';
const mirror = join(tmpdir(), `mirror-${process.pid}`);
const fleetFile = join(tmpdir(), `fleet-${process.pid}.json`);

let harness: Harness;
beforeAll(async () => {
  await writeFile(fleetFile, '{"AGENT_MODEL":"of-the-team"}');
  harness = await startHarness({
    environment: {
      AGENT_PLUGIN_DIR: folder,
      EXAMPLE_GUEST_TOKEN: guestToken,
      EXAMPLE_GUEST_ROLE: 'member',
      EXAMPLE_GUEST_PORT: '0',
      EXAMPLE_HOOK_SECRET: 'hush',
      EXAMPLE_FLEET_FILE: fleetFile,
      EXAMPLE_MIRROR_FOLDER: mirror,
    },
    modules: {
      'typed-plugin': typedPlugin as never,
      spy: { register: (_registry, emitter) => void emitter.tap('model.request', (request) => void systems.push(request.system)) },
    },
  });
});
afterAll(async () => {
  await harness.close();
  await rm(fleetFile);
  await rm(mirror, { recursive: true, force: true });
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

test('every example plugin is active', async () => {
  const names = (await readdir(folder)).map((file) => file.replace(/\.\w+$/, ''));
  const { plugins } = (await harness.call('GET', '/api/plugins')).body;
  const users = plugins.filter((plugin: any) => plugin.origin === 'user');
  expect(users).toEqual(expect.arrayContaining(names.map((name) => expect.objectContaining({ name, state: 'active' }))));
});

test('typed-plugin counts turns and returns 409 before the first one', async () => {
  const early = await harness.call('GET', '/api/milestone');
  expect([early.status, early.body.error]).toEqual([409, expect.objectContaining({ code: 'too_few', details: { turns: 0 } })]);
  await say('hello');
  expect((await harness.call('GET', '/api/milestone')).body).toEqual({ turns: 1, next: 10 });
});

test('hello-tool: the model calls the tool', async () => {
  const { tools } = await say('call say_hello with {"name": "Ann"}');
  expect(tools).toMatchObject([{ name: 'say_hello', ok: true, output: 'Hello, Ann!' }]);
});

test('guard-shell rejects delete commands without an approval request and allows other calls', async () => {
  const { tools } = await say('run `cd x; /bin/rm -rf build`, then list the files');
  expect(tools).toMatchObject([
    { name: 'run_command', ok: false, output: expect.stringContaining('Commands that delete files are not allowed here.') },
    { name: 'list_dir', ok: true },
  ]);
  expect(tools[0].approval).toBeUndefined();
});

test('slash-command answers without a model request', async () => {
  const requests = systems.length;
  expect((await say('/roll 20')).answer).toMatch(/^You rolled ([1-9]|1\d|20) of 20\.$/);
  expect((await say('/roll many')).answer).toBe('Give a number of sides from 2 to 1000.');
  expect(systems).toHaveLength(requests);
});

test('hello-route returns a greeting, is documented, and requires the token', async () => {
  expect((await harness.call('GET', '/api/hello?name=Bo')).body).toEqual({ greeting: 'Hello, Bo!' });
  expect((await harness.call('GET', '/api/hello')).body).toEqual({ greeting: 'Hello, world!' });
  expect((await fetch(`${harness.url}/api/hello`)).status).toBe(401);
  expect((await harness.call('GET', '/api/openapi.json')).body.paths).toHaveProperty('/api/hello');
});

test('guest-token: a guest posts messages under its own name and has no further permissions', async () => {
  const asGuest = { authorization: `Bearer ${guestToken}` };
  const guest = { kind: 'guest', id: 'example', name: 'Guest', role: 'member', areas: ['chats'] };
  const said = await harness.call('POST', '/api/message', { text: 'hello from a guest' }, asGuest);
  expect(said.status).toBe(202);
  await harness.kernel.resolve('turns').ended(said.body.turnId);
  const journal = await readFile(join(harness.home, 'chats', said.body.chatId, 'session.jsonl'), 'utf8');
  const messages = journal
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'message_accepted');
  expect(messages.find(({ text }) => text === 'hello')).toMatchObject({ principal: { kind: 'owner', id: 'owner' } });
  expect(messages.find(({ text }) => text === 'hello from a guest').principal).toEqual(guest);
  expect((await harness.call('GET', `/api/chats/${said.body.chatId}/transcript`, undefined, asGuest)).status).toBe(200);
  for (const key of ['GET /api/settings', 'GET /api/pending', 'POST /api/approve', 'POST /api/token/rotate', 'POST /api/pair/begin', 'PATCH /api/chats/x']) {
    const [method = '', path = ''] = key.split(' ');
    const refused = await harness.call(method, path, method === 'GET' ? undefined : {}, asGuest);
    expect([key, refused.status, refused.body.error.code]).toEqual([key, 403, 'forbidden']);
  }
  const mode = await harness.call('POST', '/api/message', { text: '/mode auto', whenBusy: 'queue' }, asGuest);
  await harness.kernel.resolve('turns').ended(mode.body.turnId);
  expect((await harness.call('GET', `/api/chats/${said.body.chatId}`)).body.mode).toBe('ask');
  expect((await harness.call('POST', '/api/commands', { name: 'mode', args: 'auto' }, asGuest)).body.error).toMatchObject({ code: 'forbidden' });
  expect((await harness.call('POST', '/api/commands', { name: 'mode' })).status).toBe(200);
});

test('guest-token: the guest listener serves only routes that guests may call', async () => {
  const url = harness.logs.map((line) => /guest-token: guests are at (\S+)/.exec(line)?.[1]).find((found) => found !== undefined);
  const status = async (path: string, token: string): Promise<number> => (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).status;
  for (const token of [guestToken, harness.token]) expect([await status('/api/chats', token), await status('/api/settings', token)]).toEqual([200, 404]);
  expect(await status('/', harness.token)).toBe(404);
});

test('calls-socket: a client calls routes over one WebSocket with its own permissions', async () => {
  const open = async (token: string): Promise<(call: object) => Promise<any>> => {
    const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/api/calls`, ['calls', `token.${token}`]);
    await once(socket, 'open');
    return async (call) => {
      const answer = once(socket, 'message');
      socket.send(JSON.stringify(call));
      return JSON.parse(String((await answer)[0]));
    };
  };
  const owner = await open(harness.token);
  expect(await owner({ id: 1, method: 'GET', path: '/api/hello?name=Bo' })).toEqual({ id: 1, status: 200, body: { greeting: 'Hello, Bo!' } });
  expect(await owner({ id: 2, method: 'POST', path: '/api/message', body: {} })).toMatchObject({
    id: 2,
    status: 400,
    body: { error: { code: 'invalid_request' } },
  });
  const guest = await open(guestToken);
  expect(await guest({ id: 3, method: 'GET', path: '/api/chats' })).toMatchObject({ id: 3, status: 200, body: { chats: expect.any(Array) } });
  expect(await guest({ id: 4, method: 'GET', path: '/api/settings' })).toMatchObject({ id: 4, status: 403 });
});

test('fleet-file: a fleet setting shows its source and is locked', async () => {
  const fieldOf = async (): Promise<object> =>
    (await harness.call('GET', '/api/settings')).body.fields.find(({ key }: { key: string }) => key === 'AGENT_MODEL');
  await expect.poll(fieldOf).toMatchObject({ value: 'of-the-team', source: 'fleet', locked: true });
  expect((await harness.call('PUT', '/api/settings', { provider: { model: 'mine' } })).body.error.code).toBe('setting_locked');
});

test('notes-mirror: two homes sync notes and deletions, and conflicts preserve the losing version', async () => {
  const other = await startHarness({
    builtins: ['memory'],
    environment: { AGENT_PLUGIN_DIR: folder, EXAMPLE_MIRROR_FOLDER: mirror, EXAMPLE_MIRROR_MS: '3600000' },
  });
  const homes = { one: harness, other };
  const keep = (home: Harness, key: string, value: string) => home.call('POST', '/api/memory', { key, value, scope: 'global' });
  const notesOf = async (home: Harness): Promise<string[]> =>
    (await home.call('GET', '/api/memory?scope=global')).body.notes.map(({ key, value }: any) => `${key}: ${value}`).sort();
  const meet = async (): Promise<string> => {
    let said = '';
    for (const home of [homes.one, homes.other, homes.one]) said = (await home.call('POST', '/api/commands', { name: 'mirror' })).body.text;
    return said;
  };
  await keep(homes.one, 'colour', 'green');
  await keep(homes.other, 'city', 'Bern');
  // The scheduled first run, one second after the start, may already have imported it.
  expect(await meet()).toMatch(/^[01] notes came from other homes/);
  expect(await notesOf(homes.one)).toEqual(['city: Bern', 'colour: green']);
  expect(await notesOf(homes.other)).toEqual(['city: Bern', 'colour: green']);
  expect((await homes.other.call('POST', '/api/memory/forget', { id: 'fact:city', scope: 'global' })).status).toBe(200);
  await keep(homes.one, 'colour', 'red');
  await keep(homes.other, 'colour', 'blue');
  await meet();
  expect([await notesOf(homes.one), await notesOf(homes.other)]).toEqual([['colour: blue'], ['colour: blue']]);
  const lost = ({ home }: Harness): Promise<string> => readFile(join(home, 'plugin-data/notes-mirror/conflicts.jsonl'), 'utf8');
  expect(JSON.parse((await lost(homes.one)) + (await lost(homes.other)))).toMatchObject({ id: 'fact:colour', value: 'red' });
  expect(await meet()).toMatch(/^0 notes came from other homes/);
});

test('inbox: stores a streamed upload and serves byte ranges', async () => {
  const { url, token } = harness;
  const headers = { authorization: `Bearer ${token}` };
  const content = Buffer.alloc(3_000_000, 'abc');
  const kept = await fetch(`${url}/api/inbox/clip.mp3`, { method: 'PUT', headers: { ...headers, 'content-type': 'audio/mpeg' }, body: content });
  expect([kept.status, await kept.json()]).toEqual([200, { bytes: content.length }]);
  const part = await fetch(`${url}/api/inbox/clip.mp3`, { headers: { ...headers, range: 'bytes=1-5' } });
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, 'bcabc', `bytes 1-5/${content.length}`]);
  expect((await fetch(`${url}/api/inbox/none`, { headers })).status).toBe(404);
  expect((await fetch(`${url}/api/inbox/..%2Fx`, { headers })).status).toBe(400);
});

test('inbox: streams a 512 MB file, whole and in ranges, and closes it when the client disconnects', async () => {
  const { url, token, home } = harness;
  const headers = { authorization: `Bearer ${token}` };
  const bytes = 512 * 2 ** 20;
  const path = join(home, 'plugin-data/inbox/big.bin');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'begin');
  await truncate(path, bytes);
  const reply = await fetch(`${url}/api/inbox/big.bin`, { headers });
  expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(bytes)]);
  const before = process.memoryUsage().rss;
  let [got, most] = [0, 0];
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    got += chunk.length;
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  expect(got).toBe(bytes);
  expect(most).toBeLessThan(bytes / 2);
  const get = (more: Record<string, string>) => fetch(`${url}/api/inbox/big.bin`, { headers: { ...headers, ...more } });
  const part = await get({ range: 'bytes=1-3' });
  expect([part.status, await part.text(), part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([
    206,
    'egi',
    `bytes 1-3/${bytes}`,
    '3',
  ]);
  expect([(await get({ range: `bytes=${bytes}-` })).status, (await get({ 'if-none-match': reply.headers.get('etag') ?? '' })).status]).toEqual([416, 304]);
  const left = await get({});
  await left.body?.cancel();
  await writeFile(path, '');
  const empty = await get({});
  expect([empty.status, await empty.text()]).toEqual([200, '']);
  if (process.platform === 'linux') {
    const open = async (): Promise<string[]> => Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    await expect.poll(async () => (await open()).filter((target) => target.includes('big.bin'))).toEqual([]);
  }
});

test('webhook: a failed build starts a turn, a successful one is announced, and unsigned requests are rejected', async () => {
  const post = async (build: object, sign?: string): Promise<{ status: number; body: any }> => {
    const body = JSON.stringify(build, undefined, 1);
    const signature = sign ?? `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`;
    const reply = await fetch(`${harness.url}/api/hooks/build`, { method: 'POST', headers: { 'x-signature': signature }, body });
    return { status: reply.status, body: await reply.json() };
  };
  const { turns, chats } = { turns: harness.kernel.resolve('turns'), chats: harness.kernel.resolve('chats') };
  expect((await post({ name: 'app', state: 'failed' }, 'sha256=00')).status).toBe(403);
  expect((await post({ name: 'app' })).body.error.code).toBe('invalid_request');
  const green = await post({ name: 'app', state: 'passed' });
  const red = await post({ name: 'app', state: 'failed', log: 'line 3: no such file' });
  expect([green.status, red.status]).toEqual([202, 202]);
  const { chatId } = await chats.active();
  while (turns.isBusy(chatId)) await new Promise(setImmediate);
  const { entries } = (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body;
  const origin = { plugin: 'webhook', reason: 'A build has ended.' };
  const entry = (messageId: string): object => entries.find(({ id }: any) => id === messageId);
  expect(entry(green.body.messageId)).toMatchObject({ kind: 'announcement', text: 'The build app is passed.', untrusted: true, origin });
  expect(entry(red.body.messageId)).toMatchObject({ kind: 'user', text: 'The build app is failed. Find out why.\nline 3: no such file', origin });
  const journal = await readFile(join(harness.home, 'chats', chatId, 'session.jsonl'), 'utf8');
  const accepted = journal.split('\n').find((line) => line.includes(red.body.messageId) && line.includes('"message_accepted"')) ?? '{}';
  expect(JSON.parse(accepted)).toMatchObject({ principal: { kind: 'service', id: 'builds' }, untrusted: true });
});

test('house-style adds its section to every prompt', async () => {
  await say('hello');
  expect(systems.at(-1)).toContain('write British English');
});
