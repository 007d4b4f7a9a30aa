// Tests abort, reset, status and undo of a session, field by field.
import { beforeEach, expect, test } from 'vitest';
import { openApiCheck, type ApiCheck } from '../../helpers/api-check.ts';
import { type EventStream, type Harness, openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

let harness: Harness;
let api: ApiCheck;
const model = useEach(() => startScriptedModel());
beforeEach(async () => {
  harness = await startHarness({ environment: model.environment });
  api = await openApiCheck(harness);
});

const send = async (text: string, more: object = {}) => (await api.call('POST', '/api/message', { text, ...more })).body;
const ended = (stream: EventStream, turnId: string) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);
const transcript = async (chatId: string): Promise<any[]> => (await api.call('GET', `/api/chats/${chatId}/transcript`)).body.entries;

test('an abort replies after the model stream is closed, and is rejected without a turn', async () => {
  expect(await api.call('POST', '/api/session/abort', {})).toMatchObject({ status: 409, body: { error: { code: 'no_turn' } } });
  model.push({ text: ['Hal', 'f'], stallAfter: 1 });
  const stream = await openEventStream(harness);
  const { turnId, chatId } = await send('go');
  await stream.until('text');
  expect((await api.call('POST', '/api/session/abort', { chatId })).body).toEqual({ ok: true, turnId, stopped: ['model'], unqueued: [] });
  expect((await api.call('GET', '/api/status')).body).toMatchObject({ busy: false, chats: [{ chatId, busy: false }] });
  expect(await (await model.request(0)).ended).toBe('gone');
  expect(await ended(stream, turnId)).toMatchObject({ reason: 'aborted', rounds: 1, tools: 0 });
  expect(await api.call('POST', '/api/session/abort', { chatId })).toMatchObject({ status: 409 });
  expect(await transcript(chatId)).toMatchObject([{ kind: 'user' }, { kind: 'assistant', text: 'Hal' }, { kind: 'system', code: 'aborted' }]);
  model.push({ text: 'Next.' });
  await runTurn(harness, 'on');
  expect(model.requests[1]?.body.messages.slice(1).map(({ content }: any) => content)).toEqual(['go', 'Hal', 'on']);
});

test('an abort ends queued messages unread, and they can be sent again', async () => {
  model.push({ text: 'x', stallAfter: 1 }, { text: 'Third.' });
  const stream = await openEventStream(harness);
  const first = await send('one');
  await stream.until('text');
  const second = await send('two', { whenBusy: 'queue' });
  const other = await send('three', { whenBusy: 'queue' });
  const { body } = await api.call('POST', '/api/session/abort', {});
  expect(body).toEqual({ ok: true, turnId: first.turnId, stopped: ['model'], unqueued: [second.turnId, other.turnId] });
  for (const { turnId } of [second, other]) expect(await ended(stream, turnId)).toMatchObject({ reason: 'aborted', isUnqueued: true, rounds: 0 });
  expect((await api.call('GET', '/api/status')).body.busy).toBe(false);
  const again = await send('two');
  expect(await ended(stream, again.turnId)).toMatchObject({ reason: 'done' });
  expect(model.requests).toHaveLength(2);
  expect(JSON.stringify(model.requests[1]?.body)).not.toContain('three');
  const entries = await transcript(first.chatId);
  const notes = entries.flatMap((entry) => (entry.kind === 'system' ? [entry.text] : []));
  expect(notes).toEqual(['Stopped by the user.', expect.stringContaining('Withdrawn'), expect.stringContaining('Withdrawn')]);
  expect(entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []))).toEqual(['one', 'two', 'three', 'two']);
});

test('queued messages end exactly once when the server stops, and the model sees them afterwards', async () => {
  model.push({ text: 'x', stallAfter: 1 });
  const stream = await openEventStream(harness);
  const first = await send('one');
  await stream.until('text');
  const second = await send('two', { whenBusy: 'queue' });
  await harness.close({ keepFiles: true });
  harness = await startHarness({ home: harness.home, workspace: harness.workspace, environment: model.environment });
  api = await openApiCheck(harness);
  const replay = await openEventStream(harness, { chatId: first.chatId, since: '0' });
  await ended(replay, second.turnId);
  const ends = replay.events.filter((event) => event.kind === 'turn_start' || event.kind === 'turn_end').map((event) => [event.kind, event['turnId']]);
  expect(ends).toEqual([first, second].flatMap(({ turnId }) => ['turn_start', 'turn_end'].map((kind) => [kind, turnId])));
  replay.close();
  model.push({ text: 'ok' });
  await runTurn(harness, 'three');
  expect(
    model.requests
      .at(-1)
      ?.body.messages.filter((message: any) => message.role === 'user')
      .map((message: any) => message.content),
  ).toEqual(['one', 'two\n\nthree']);
});

test('a reset clears the model context, keeps the transcript, and is rejected while busy', async () => {
  model.push({ text: 'Nice to meet you.' }, { text: 'Who?' });
  await runTurn(harness, 'I am Ada.');
  const { chatId } = (await api.call('GET', '/api/workspace/current')).body;
  for (const body of [{}, { mode: 'medium' }, { mode: 'soft', greet: 'yes' }]) expect((await api.call('POST', '/api/session/reset', body)).status).toBe(400);
  const stream = await openEventStream(harness);
  expect((await api.call('POST', '/api/session/reset', { mode: 'hard' })).body).toEqual({ ok: true, mode: 'hard', personaBootstrapPending: true });
  expect(await stream.until('conversation_reset')).toMatchObject({ chatId, mode: 'hard' });
  expect(await stream.until('chat_updated')).toMatchObject({ chatId, change: 'reset' });
  await runTurn(harness, 'Who am I?');
  expect(JSON.stringify(model.requests[1]?.body.messages)).not.toContain('Ada');
  expect((await transcript(chatId)).map((entry) => entry.kind)).toEqual(['user', 'assistant', 'system', 'user', 'assistant']);

  model.push({ text: 'x', stallAfter: 1 });
  await send('wait');
  await model.request(2);
  expect(await api.call('POST', '/api/session/reset', { mode: 'soft' })).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  expect(await api.call('PUT', '/api/settings', { harness: { env: {} } })).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  expect(await api.call('POST', '/api/hub/reconnect', {})).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  expect(await api.call('POST', '/api/undo', {})).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  await api.call('POST', '/api/session/abort', {});
});

test('a reset with a greeting starts with the agent and leaves the chat title to the user', async () => {
  model.push({ text: 'Welcome back.' }, { text: 'Sure.' });
  const stream = await openEventStream(harness);
  const { chatId } = await stream.until('connected');
  expect((await api.call('POST', '/api/session/reset', { mode: 'soft', greet: true })).status).toBe(200);
  await stream.until('turn_end');
  expect(stream.text()).toBe('Welcome back.');
  expect((await api.call('GET', `/api/chats/${chatId}`)).body.title).toBe('New chat');
  await runTurn(harness, 'Plant a tree');
  expect((await api.call('GET', `/api/chats/${chatId}`)).body.title).toBe('Plant a tree');
});
