// Tests `POST /api/message` and status, field by field.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openApiCheck, type ApiCheck } from '../../helpers/api-check.ts';
import { type EventStream, type Harness, openEventStream, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

let harness: Harness;
let api: ApiCheck;
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  harness = await startHarness({ environment: model.environment });
  api = await openApiCheck(harness);
});

const send = (body: object) => api.call('POST', '/api/message', body);
const ended = (stream: EventStream, turnId: string) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
const count = (stream: EventStream, kind: string): number => stream.events.filter((event) => event.kind === kind).length;

function gate(): { open: () => void; until: Promise<void> } {
  let open: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (open = resolve));
  return { open, until };
}

test('the message is journaled before the reply, with its attachments stored with the chat', async () => {
  model.push({ text: 'Seen.' });
  const stream = await openEventStream(harness);
  const { status, body } = await send({
    text: 'look',
    attachments: [{ name: 'note.txt', dataUrl: 'data:text/plain;charset=utf-8;base64,aGVsbG8=' }],
    clientId: 'c1',
    liveDictation: true,
  });
  expect(status).toBe(202);
  expect(body).toEqual({
    turnId: expect.stringMatching(/^turn_[0-9A-HJKMNP-TV-Z]{26}$/),
    messageId: expect.stringMatching(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/),
    chatId: expect.stringMatching(/^chat_[0-9A-HJKMNP-TV-Z]{26}$/),
    queued: false,
  });
  const folder = join(harness.home, 'chats', body.chatId);
  expect(await readFile(join(folder, 'session.jsonl'), 'utf8')).toContain(body.messageId);
  const accepted = await stream.until('message_accepted');
  expect(accepted).toMatchObject({ text: 'look', clientId: 'c1', liveDictation: true, attachments: [{ name: 'note.txt', mimeType: 'text/plain', bytes: 5 }] });
  const [attachmentId] = await readdir(join(folder, 'attachments'));
  expect(attachmentId).toMatch(/^att_/);
  expect(await readFile(join(folder, 'attachments', attachmentId ?? ''), 'utf8')).toBe('hello');
  await ended(stream, body.turnId);
});

test('a repeated clientId returns the first reply, starts no turn and counts none', async () => {
  const wait = gate();
  model.push({ text: 'x', until: wait.until }, { text: 'second' });
  const stream = await openEventStream(harness);
  const first = await send({ text: 'one', clientId: 'a' });
  const queued = await send({ text: 'two', clientId: 'b', whenBusy: 'queue' });
  expect(queued.body).toMatchObject({ queued: true });
  expect((await send({ text: 'one', clientId: 'a' })).body).toEqual(first.body);
  expect((await send({ text: 'two', clientId: 'b', whenBusy: 'queue' })).body).toEqual(queued.body);
  wait.open();
  await ended(stream, first.body.turnId);
  await ended(stream, queued.body.turnId);
  expect((await send({ text: 'two', clientId: 'b' })).body).toEqual(queued.body);
  expect([count(stream, 'message_accepted'), count(stream, 'turn_start'), count(stream, 'turn_end')]).toEqual([2, 2, 2]);
  expect((await api.call('GET', `/api/chats/${first.body.chatId}`)).body).toMatchObject({ turns: 2, title: 'one' });
  stream.close();
  await harness.close({ keepFiles: true });
  harness = await startHarness({ home: harness.home, workspace: harness.workspace, environment: model.environment });
  api = await openApiCheck(harness);
  expect((await send({ text: 'one', clientId: 'a' })).body).toEqual(first.body);
  expect((await send({ text: 'two', clientId: 'b' })).body).toEqual(queued.body);
  expect(model.requests).toHaveLength(2);
});

test('a busy chat rejects, queues in order, or steers the running turn', async () => {
  const wait = gate();
  model.push({ toolCalls: [{ name: 'list_dir', args: { path: '.' } }], until: wait.until }, { text: 'A.' }, { text: 'B.' }, { text: 'C.' });
  const stream = await openEventStream(harness);
  const first = await send({ text: 'one' });
  await model.request(0);
  expect(await send({ text: 'no' })).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress', details: { turnId: first.body.turnId } } } });
  expect(await send({ text: 'no', whenBusy: 'reject' })).toMatchObject({ status: 409 });
  const [second, third] = [await send({ text: 'two', whenBusy: 'queue' }), await send({ text: 'three', whenBusy: 'queue' })];
  const steer = await send({ text: 'by the way', whenBusy: 'steer' });
  expect(steer.body).toMatchObject({ turnId: first.body.turnId, queued: false });
  expect(await send({ text: 'no', whenBusy: 'never' })).toMatchObject({ status: 400 });
  wait.open();
  await ended(stream, third.body.turnId);
  const order = stream.events.filter((event) => event.kind === 'turn_start' || event.kind === 'turn_end').map((event) => event['turnId']);
  expect(order).toEqual([first, first, second, second, third, third].map((one) => one.body.turnId));
  expect(model.requests[1]?.body.messages.map((message: any) => message.role).slice(-4)).toEqual(['assistant', 'tool', 'assistant', 'user']);
  expect(model.requests[1]?.body.messages.at(-1).content).toMatch(/^by the way\n\n<system-note>\n.*untrusted-text/s);
  const said = model.requests.at(-1)?.body.messages.filter(({ role }: any) => role === 'user').map(({ content }: any) => content.split('\n')[0]); // prettier-ignore
  expect(said).toEqual(['one', 'by the way', 'two', 'three']);
  expect((await api.call('GET', `/api/chats/${first.body.chatId}`)).body.turns).toBe(3);
});

test('limits text and the count, kind and total size of attachments, and stores nothing of a rejected message', async () => {
  const file = (bytes: number, type = 'application/pdf') => ({ name: 'f', dataUrl: `data:${type};base64,${Buffer.alloc(bytes).toString('base64')}` });
  const mb = 1024 * 1024;
  const refused = async (body: object, limit: number) =>
    expect(await send({ text: 'x', ...body })).toMatchObject({ status: 413, body: { error: { code: 'too_large', details: { limit } } } });
  await refused({ text: 'ä'.repeat(mb / 2 + 1) }, mb);
  await refused({ attachments: [file(4 * mb + 1, 'image/png')] }, 4 * mb);
  await refused({ attachments: [file(25 * mb + 1)] }, 25 * mb);
  await refused({ attachments: [file(22 * mb), file(22 * mb), file(21 * mb)] }, 64 * mb);
  const many = Array.from({ length: 13 }, () => file(1));
  expect(await send({ text: 'x', attachments: many })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect(await send({ text: 'x', attachments: [{ name: 'f', dataUrl: 'https://example.org/x.png' }] })).toMatchObject({ status: 400 });
  expect(await send({ text: '  ' })).toMatchObject({ status: 400 });
  expect(await send({ text: 'x', chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).toMatchObject({ status: 404 });
  const { chatId } = (await api.call('GET', '/api/workspace/current')).body;
  expect((await api.call('GET', `/api/chats/${chatId}/transcript`)).body.entries).toEqual([]);
  expect(await readdir(join(harness.home, 'chats', chatId))).not.toContain('attachments');

  model.push({ text: 'ok' });
  const stream = await openEventStream(harness);
  const most = { text: 'ä'.repeat(mb / 2), attachments: [file(25 * mb), file(25 * mb), file(14 * mb)] };
  const taken = await send(most);
  expect(taken.status, JSON.stringify(taken.body)).toBe(202);
  await ended(stream, taken.body.turnId);
});
