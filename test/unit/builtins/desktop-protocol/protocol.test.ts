// Tests the desktop protocol over real sockets: frames, replies, events and close codes.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openDesktopSocket, type DesktopSocket, type SocketOptions } from '../../../helpers/desktop-socket.ts';
import { type Harness, startHarness, startScriptedModel, useAll, useFolder } from '../../../helpers/in-process.ts';

const model = useAll(() => startScriptedModel());
const harness = useAll(() => startHarness({ environment: model.environment }));

const home = useFolder('desktop-home-');
const open = (options: SocketOptions = {}, server: Pick<Harness, 'url' | 'token'> = harness): Promise<DesktopSocket> => openDesktopSocket(server, options);
const makeChat = async (server = harness): Promise<string> => (await server.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body.chatId;
const textOf = (socket: DesktopSocket): string =>
  socket.events
    .filter(({ event, data }) => event === 'text' && data.channel === 'user')
    .map(({ data }) => data.delta)
    .join('');

test('sends a message, its events and an answer over one connection', async () => {
  const chatId = await makeChat();
  const socket = await open({ query: { chatId } });
  expect(socket.events[0]).toMatchObject({
    event: 'connected',
    chatId,
    data: { kind: 'connected', serverVersion: expect.any(String), cursor: expect.any(Number) },
  });
  model.push({ toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?', options: ['left', 'right'] } }] }, { text: 'Left it is.' });
  const sent = await socket.ask('send_message', { text: 'ask me', liveDictation: true });
  expect(sent).toEqual({ v: 1, re: 1, ok: true, status: 202, data: { turnId: expect.any(String), messageId: expect.any(String), chatId, queued: false } });
  const { data } = await socket.until('ask_user');
  expect(data).toMatchObject({ kind: 'ask_user', prompt: 'Which?' });
  expect(await socket.ask('answer', { askId: data.askId, answer: 'left' })).toMatchObject({ ok: true, data: { ok: true } });
  const end = await socket.until('turn_end');
  expect(end).toMatchObject({ chatId, id: end.data.id, data: { reason: 'done', turnId: sent.data.turnId } });
  expect(textOf(socket)).toBe('Left it is.');
});

test('uses the chat of the connection unless a command names another', async () => {
  const [mine, other] = [await makeChat(), await makeChat()];
  const socket = await open({ query: { chatId: mine } });
  expect((await socket.ask('workspace')).data.chatId).toBe(mine);
  expect((await socket.ask('workspace', { chatId: other })).data.chatId).toBe(other);
  expect((await socket.ask('GET /api/workspace/current')).data.chatId).toBe(mine);
  expect((await socket.ask('abort')).error).toMatchObject({ code: 'no_turn' });
  await socket.ask('subscribe', { chatId: 'all' });
  expect((await socket.ask('workspace')).data.chatId).toBe((await harness.call('GET', '/api/workspace/current')).body.chatId);
});

test('returns an error for an invalid frame, version or command', async () => {
  const socket = await open();
  const refused: readonly (readonly [frame: string | Buffer, re: string | number | null, code: string])[] = [
    ['no json', null, 'invalid_request'],
    ['[1]', null, 'invalid_request'],
    [Buffer.from('{}'), null, 'invalid_request'],
    ['['.repeat(100_000), null, 'invalid_request'],
    ['{"v":1,"command":"ping"}', null, 'invalid_request'],
    [JSON.stringify({ v: 1, id: 'x'.repeat(65), command: 'ping' }), null, 'invalid_request'],
    ['{"v":1,"id":1.5,"command":"ping"}', null, 'invalid_request'],
    ['{"id":"a","command":"ping"}', 'a', 'unknown_version'],
    ['{"v":2,"id":"b","command":"ping"}', 'b', 'unknown_version'],
    ['{"v":1,"id":"c"}', 'c', 'invalid_request'],
    ['{"v":1,"id":"d","command":"ping","data":[]}', 'd', 'invalid_request'],
    ['{"v":1,"id":"e","command":"ping","extra":1}', 'e', 'invalid_request'],
    ['{"v":1,"id":"f","command":"fly"}', 'f', 'unknown_command'],
    ['{"v":1,"id":"g","command":"__proto__"}', 'g', 'unknown_command'],
    ['{"v":1,"id":"h","command":"GET /api/nothing"}', 'h', 'unknown_command'],
    ['{"v":1,"id":"i","command":"chat","data":{"id":".."}}', 'i', 'invalid_request'],
    ['{"v":1,"id":"j","command":"chat","data":{"id":"\\ud800"}}', 'j', 'invalid_request'],
    ['{"v":1,"id":"k","command":"chat"}', 'k', 'invalid_request'],
    ['{"v":1,"id":"l","command":"chats","data":{"archived":{"a":1}}}', 'l', 'invalid_request'],
    ['{"v":1,"id":"m","command":"GET /api/chats","data":{"archived":true}}', 'm', 'invalid_request'],
    ['{"v":1,"id":"n","command":"subscribe","data":{"since":-1}}', 'n', 'invalid_request'],
    ['{"v":1,"id":"o","command":"subscribe","data":{"chatId":"chat_01ARZ3NDEKTSV4RRFFQ69G5FAV"}}', 'o', 'not_found'],
    ['{"v":1,"id":"p","command":"send_message","data":{"__proto__":{"a":1},"text":"x"}}', 'p', 'invalid_request'],
  ];
  for (const [frame, re, code] of refused) {
    const reply = await socket.raw(frame, re);
    expect(reply, String(frame).slice(0, 80)).toEqual({
      ...{ v: 1, re, ok: false, status: expect.any(Number) },
      error: expect.objectContaining({ code, message: expect.stringMatching(/\w{3}.*\.$/), requestId: expect.stringMatching(/^req_/) }),
    });
  }
  expect(await socket.ask('ping')).toMatchObject({ ok: true, data: { v: 1 } });
  expect(socket.strays).toEqual([]);
});

test('rejects a command with the id of a running one', async () => {
  const socket = await open();
  const frame = JSON.stringify({ v: 1, id: 'same', command: 'status' });
  socket.socket.send(frame);
  const first = await socket.raw(frame, 'same');
  expect([first.ok, first.error?.code]).toEqual([false, 'invalid_request']);
  await expect.poll(() => socket.strays).toMatchObject([{ re: 'same', ok: true, data: { busy: false } }]);
});

test('closes a connection to an unknown chat with code 4404', async () => {
  const socket = await open({ query: { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, isQuiet: true });
  expect(await socket.closed).toBe(4404);
  expect(socket.strays).toMatchObject([{ re: null, ok: false, status: 404, error: { code: 'not_found' } }]);
});

test('replays missed events after a reconnect, also after a server restart', async () => {
  const again = (): Promise<Harness> => startHarness({ environment: model.environment, home });
  let server = await again();
  const chatId = await makeChat(server);
  const first = await open({ query: { chatId } }, server);
  model.push({ text: ['One ', 'two ', 'three.'] });
  await first.ask('send_message', { text: 'count' });
  await first.until('turn_end');
  const seen = first.events.filter(({ id }) => id !== undefined);
  const middle = seen.find(({ event }) => event === 'turn_start')?.id ?? 0;
  await server.close({ keepFiles: true });
  expect(await first.closed).toBe(1001);
  server = await again();
  const second = await open({ query: { chatId, since: String(middle) } }, server);
  await second.until('turn_end');
  const missed = seen.filter(({ id = 0, event }) => id > middle && event !== 'text').map(({ id, event }) => [id, event]);
  const replayed = second.events.filter(({ id, event }) => id !== undefined && event !== 'text').map(({ id, event }) => [id, event]);
  expect(replayed).toEqual(expect.arrayContaining(missed.filter(([, event]) => event === 'turn_end')));
  expect(textOf(second)).toBe('One two three.');
  const third = await open({ query: { chatId, since: '999999999' } }, server);
  expect((await third.until('transcript_replay')).data.entries.length).toBeGreaterThan(0);
  expect(third.events.map(({ event }) => event)).toContain('resync');
});

test('delivers 2,000 deltas in order, live and by replay, while another client reads nothing', async () => {
  const chatId = await makeChat();
  const [reading, stuck] = [await open({ query: { chatId } }), await open({ query: { chatId } })];
  stuck.socket.pause();
  model.push({ text: Array.from({ length: 2_000 }, (_, at) => `${at} `) });
  await reading.ask('send_message', { text: 'count' });
  await reading.until('turn_end');
  const whole = Array.from({ length: 2_000 }, (_, at) => `${at} `).join('');
  expect(textOf(reading)).toBe(whole);
  const ids = reading.events.flatMap(({ id }) => id ?? []);
  expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
  const late = await open({ query: { chatId, since: '0' } });
  await late.until('turn_end');
  expect(textOf(late)).toBe(whole);
  stuck.socket.resume();
  await stuck.until('turn_end');
  expect(textOf(stuck)).toBe(whole);
});

test('subscribe replaces the subscription and unsubscribe removes it', async () => {
  const [first, second] = [await makeChat(), await makeChat()];
  const socket = await open({ query: { chatId: first } });
  expect(await socket.ask('subscribe', { chatId: second })).toMatchObject({ ok: true, data: { chatId: second } });
  expect((await harness.call('GET', '/api/status')).body.clients).toBe(1);
  expect(await socket.ask('unsubscribe')).toMatchObject({ ok: true });
  expect((await harness.call('GET', '/api/status')).body.clients).toBe(0);
  model.push({ text: 'Unheard.' });
  const { data } = await socket.ask('send_message', { text: 'hello', chatId: second });
  await socket.ask('subscribe', { chatId: second, since: 0 });
  await socket.until(({ event, data: { turnId } }) => event === 'turn_end' && turnId === data.turnId);
});

test('closes the connection when the token is rotated, and accepts the new token only', async () => {
  const own = await startHarness({ builtins: ['desktop-protocol', 'cli'] });
  const socket = await open({}, own);
  await own.kernel.resolve('webToken').rotate();
  expect(await socket.closed).toBe(1008);
  const token = await own.kernel.resolve('webToken').current();
  await (await open({ token }, own)).ask('ping');
  const refused = new WebSocket(`${own.url.replace('http', 'ws')}/api/ws?token=${own.token}`);
  refused.on('error', () => undefined);
  expect((await once(refused, 'unexpected-response'))[1].statusCode).toBe(401);
  refused.terminate();
});

test('accepts the token as a subprotocol, and rejects a missing token and a foreign origin or host', async () => {
  const address = `${harness.url.replace('http', 'ws')}/api/ws`;
  const socket = new WebSocket(address, ['harness.v1', `token.${harness.token}`]);
  await once(socket, 'open');
  expect(socket.protocol).toBe('harness.v1');
  socket.terminate();
  const statusOf = async (url: string, headers: Record<string, string>): Promise<number> => {
    const refused = new WebSocket(url, { headers });
    refused.on('error', () => undefined);
    const [, response] = await once(refused, 'unexpected-response');
    refused.terminate();
    return response.statusCode;
  };
  expect(await statusOf(address, {})).toBe(401);
  expect(await statusOf(`${address}?token=${harness.token}`, { origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(`${address}?token=${harness.token}`, { host: 'evil.example' })).toBe(403);
});

test('returns 413 for 10 MB of input and closes the connection on an oversized frame', async () => {
  const socket = await open();
  const reply = await socket.ask('change_settings', { harness: { env: { AGENT_MODEL: 'x'.repeat(10_000_000) } } });
  expect(reply).toMatchObject({ ok: false, status: 413, error: { code: 'too_large', details: { limit: 1_048_576 } } });
  socket.socket.send('x'.repeat(17_000_000));
  expect(await socket.closed).toBe(1009);
});

test('answers 2,000 concurrent commands while it serves another client', async () => {
  const [busy, other] = [await open(), await open()];
  const replies = Promise.all(Array.from({ length: 2_000 }, () => busy.ask('status')));
  expect((await other.ask('ping')).ok).toBe(true);
  expect((await replies).filter(({ ok }) => !ok)).toEqual([]);
});
