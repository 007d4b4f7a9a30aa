// Tests the replies and events of limited devices: no data of this machine or of other devices, and no paid features.
import { basename } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { openDesktopSocket } from '../../../helpers/desktop-socket.ts';
import { startHarness, useAll } from '../../../helpers/in-process.ts';

type Role = 'view' | 'chat' | 'full';

const tokens = {} as Record<Role, string>;
const ids = {} as Record<Role, string>;
const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const get = async (path: string, token?: string): Promise<any> =>
  (await harness.call('GET', path, undefined, token === undefined ? undefined : bearer(token))).body;

const harness = useAll(() => startHarness());
beforeAll(async () => {
  for (const role of ['view', 'chat', 'full'] as const) {
    const { body } = await harness.call('POST', '/api/pair/begin', { role });
    const paired = (await harness.call('POST', '/api/pair', { code: body.code, deviceName: `Phone of ${role}` })).body;
    [tokens[role], ids[role]] = [paired.token, paired.device.id];
  }
  const { chatId } = (await harness.call('POST', '/api/chats', { title: 'Work', activate: true })).body;
  expect((await harness.call('POST', '/api/message', { text: 'from a phone', chatId }, bearer(tokens.full))).status).toBe(202);
  await vi.waitFor(async () => expect((await get('/api/status')).busy).toBe(false), { timeout: 10_000 });
  const { chatId: gone } = (await harness.call('POST', '/api/chats', { title: 'Deleted', activate: false })).body;
  await harness.call('DELETE', `/api/chats/${gone}`);
});

/** Collects every reply that a GET without a body returns to a device, from the OpenAPI document of the server. */
async function readAll(role: 'view' | 'chat'): Promise<Map<string, string>> {
  const { chatId } = (await harness.call('GET', '/api/workspace/current')).body;
  const texts = new Map<string, string>();
  const { paths } = harness.kernel.resolve('http').openapi() as { paths: Record<string, Record<string, any>> };
  for (const [path, { get: one }] of Object.entries(paths)) {
    if (one?.['x-role'] === undefined || path === '/api/stream') continue;
    const leave = new AbortController();
    const reply = await fetch(harness.url + path.replace(/\{\w+\}/g, chatId), { headers: bearer(tokens[role]), signal: leave.signal });
    if (reply.status === 200 && /json|text/.test(reply.headers.get('content-type') ?? '') && !reply.headers.get('content-type')?.includes('event-stream'))
      texts.set(path, await reply.text());
    leave.abort();
  }
  return texts;
}

test.each(['view', 'chat'] as const)('names no folder of this machine and no other device in replies to a device with role %s', async (role) => {
  const texts = await readAll(role);
  expect([...texts.keys()]).toEqual(expect.arrayContaining(['/api/chats', '/api/chats/{id}', '/api/config', '/api/status', '/api/workspace/current']));
  for (const [path, text] of texts) {
    const folders = /\/(transcript|export)$/.test(path) ? [] : [harness.home, process.cwd()];
    for (const theirs of [...folders, ids.full, 'Phone of full']) expect([path, theirs, text.includes(theirs)]).toEqual([path, theirs, false]);
  }
});

test('returns all chat fields to a full device and only the display fields to a limited one', async () => {
  const row = (body: any): any => body.chats.find(({ title }: { title: string }) => title === 'Work');
  const whole = row(await get('/api/chats', tokens.full));
  expect(whole).toMatchObject({ workspaceRoot: expect.stringMatching(/^\//), workspaceFingerprint: expect.any(String) });
  expect(row(await get('/api/chats'))).toEqual(whole);
  const { workspaceRoot, workspaceFingerprint: _, ...rest } = whole;
  for (const role of ['view', 'chat'] as const) {
    expect(row(await get('/api/chats', tokens[role]))).toEqual(rest);
    expect(await get('/api/workspace/current', tokens[role])).toEqual({ chatId: whole.chatId, basename: basename(workspaceRoot) });
    expect((await get('/api/config', tokens[role])).activeChat).toEqual({ chatId: whole.chatId, title: 'Work', workspaceMode: whole.workspaceMode });
    const status = await get('/api/status', tokens[role]);
    expect(Object.keys(status)).toEqual(expect.arrayContaining(['busy', 'activeChatId', 'chats']));
    expect(status).not.toHaveProperty('clients');
    expect(status).not.toHaveProperty('remote');
  }
  expect(await get('/api/status', tokens.full)).toMatchObject({ clients: 0 });
});

test.each(['view', 'chat'] as const)('denies the lists of models, tools and deleted chats to a device with role %s', async (role) => {
  for (const path of ['/api/models', '/api/tools', '/api/chats/trash'])
    expect([path, (await harness.call('GET', path, undefined, bearer(tokens[role]))).status]).toEqual([path, 403]);
});

test('requires write permission for text-to-speech, because it costs money', async () => {
  const speak = async (role: Role): Promise<any> => harness.call('POST', '/api/tts', { text: 'Good morning.' }, bearer(tokens[role]));
  expect((await speak('view')).body.error.code).toBe('forbidden');
  expect((await speak('chat')).body.error.code).not.toBe('forbidden');
  expect((await harness.call('GET', '/api/audio/engines', undefined, bearer(tokens.view))).status).toBe(403);
});

test.each(['over HTTP', 'over a WebSocket'])('hides the same details in live and replayed events, %s', async (way) => {
  const { chatId } = await get('/api/workspace/current');
  async function read(role: Role): Promise<readonly any[]> {
    if (way === 'over a WebSocket') {
      const socket = await openDesktopSocket(harness, { token: tokens[role] });
      await socket.ask('subscribe', { chatId, since: 0 });
      await socket.until(({ event }) => event === 'turn_end');
      const found = socket.events.map(({ event, data }: any) => ({ kind: event, ...data }));
      return found;
    }
    const leave = new AbortController();
    const reply = await fetch(`${harness.url}/api/stream?chatId=${chatId}&since=0`, { headers: bearer(tokens[role]), signal: leave.signal });
    let text = '';
    for await (const bytes of reply.body! as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(bytes).toString();
      if (text.includes('"turn_end"')) break;
    }
    leave.abort();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  }
  for (const role of ['view', 'chat'] as const) {
    const events = await read(role);
    const text = JSON.stringify(events);
    expect(text).not.toContain(ids.full);
    expect(events.filter((event) => 'workspaceRoot' in event)).toEqual([]);
    expect(events.map(({ kind }) => kind)).toContain('chat_updated');
    const said = events.find(({ kind }) => kind === 'message_accepted');
    expect([said.text, said.principal]).toEqual(['from a phone', { kind: 'device', name: 'Phone of full' }]);
  }
  const [made, said] = ['chat_updated', 'message_accepted'].map((kind) => read('full').then((all) => all.find((one) => one.kind === kind)));
  expect((await made)?.workspaceRoot).toMatch(/^\//);
  expect((await said).principal).toMatchObject({ kind: 'device', id: ids.full, role: 'owner' });
});
