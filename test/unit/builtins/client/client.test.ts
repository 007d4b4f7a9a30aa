// Tests the whole client against a real server: messages, decisions, pages, lists and the number of notifications.
import { CallError, type Client, type Entry } from 'agent-harness/client';
import { expect, it } from 'vitest';
import type { Script } from '../../../helpers/scripted-model.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';
import { openChat, openClient, startServer, textsOf, until, type LineServer } from './parts.ts';

async function openWorld(script: Script): Promise<LineServer & { readonly client: Client }> {
  const server = await startServer(script);
  const client = openClient(server.line, { token: server.harness.token });
  await client.start();
  return { ...server, client };
}

it('shows a message immediately, then its turn, and batches the notifications of many deltas', async () => {
  const { client, chatId } = await openWorld([{ text: Array.from({ length: 400 }, (_, index) => `${index} `) }]);
  const chat = client.open(chatId);
  expect(client.open(chatId)).toBe(chat);
  await until(chat.state, ({ isLoaded }) => isLoaded);
  let notified = 0;
  chat.state.subscribe(() => notified++);
  chat.send('Count');
  expect(chat.state.get().entries).toMatchObject([{ kind: 'user', text: 'Count', state: 'sending' }]);
  await until(chat.state, ({ entries, running }) => entries.length === 2 && !running);
  expect(textsOf(chat.state.get().entries)[1]).toMatch(/^0 1 2 .* 399 $/);
  expect(notified).toBeLessThan(100);
});

it('lists server errors once each, including those from before it connected', async () => {
  const { client, harness, line } = await openWorld([]);
  const emit = (message: string): void => harness.kernel.emitter.emit('error', { source: 'plugin', plugin: 'p', code: 'X', message });
  emit('first');
  await until(client.faults, (faults) => faults.length === 1);
  line.cut();
  emit('second');
  await until(client.faults, (faults) => faults.length === 2);
  const late = openClient(line, { token: harness.token });
  await late.start();
  expect((await until(late.faults, (faults) => faults.length === 2)).map(({ message }) => message)).toEqual(['first', 'second']);
  expect((await late.call('GET /api/plugins')).errors).toMatchObject(client.faults.get().map(({ id, message }) => ({ id, message })));
});

it('queues a message behind a running turn, steers the turn, and stops it', async () => {
  const gate = createGate();
  const { client, chatId, model } = await openWorld([
    { text: ['One ', 'two'], stallAfter: 1, until: gate.opened },
    { text: 'Heard.' },
    { text: ['Second ', 'answer'], stallAfter: 1 },
  ]);
  const chat = client.open(chatId);
  chat.send('First');
  await until(chat.state, ({ running, entries }) => running !== undefined && entries.length === 2);
  expect(chat.state.get().running).toMatchObject({ waitingFor: 'model', model: 'scripted' });
  chat.send('Later');
  await until(chat.state, ({ entries }) => entries.some((entry) => entry.kind === 'user' && entry.state === 'queued' && !entry.id.startsWith('outgoing')));
  chat.send('Also', { whenBusy: 'steer' });
  await until(chat.state, ({ entries }) => textsOf(entries).join('|') === 'First|One |Also|Later' && !entries.some((entry) => entry.id.startsWith('outgoing')));
  gate.open();
  await model.request(2);
  await until(chat.state, ({ entries }) => textsOf(entries).at(-1) === 'Second ');
  expect(textsOf(chat.state.get().entries)).toEqual(['First', 'One two', 'Also', 'Heard.', 'Later', 'Second ']);
  await chat.abort();
  await until(chat.state, ({ running }) => !running);
  expect(textsOf(chat.state.get().entries).at(-1)).toBe('Stopped by the user.');
  await chat.abort();
});

it('returns the queued texts when the running turn is stopped', async () => {
  const { client, chatId } = await openWorld([{ text: ['One ', 'two'], stallAfter: 1 }]);
  const chat = client.open(chatId);
  chat.send('First');
  await until(chat.state, ({ running, entries }) => running !== undefined && entries.length === 2);
  for (const text of ['Later', 'Last']) chat.send(text);
  const isQueued = (entry: Entry): boolean => entry.kind === 'user' && entry.state === 'queued' && !entry.id.startsWith('outgoing');
  await until(chat.state, ({ entries }) => entries.filter(isQueued).length === 2);
  await chat.abort();
  expect((await until(chat.takenBack, (some) => some.length > 0)).length).toBe(2);
  expect(chat.takeBack()).toEqual(['Later', 'Last']);
  expect(chat.takeBack()).toEqual([]);
  const { entries } = await until(chat.state, ({ running }) => !running);
  expect(entries.filter(isQueued)).toEqual([]);
});

it('sends decisions on approvals and answers to questions', async () => {
  const { client, chatId } = await openWorld([
    { toolCalls: [{ name: 'run_command', args: { command: 'touch x' } }] },
    { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?' } }] },
    { text: 'Done.' },
  ]);
  const chat = client.open(chatId);
  chat.send('Go');
  const { approvals } = await until(chat.state, (state) => state.approvals.length === 1);
  const id = approvals[0]?.approvalId ?? '';
  await chat.approve(id, { decision: 'reject', reason: 'No.' });
  expect(chat.state.get().approvals).toEqual([]);
  await expect(chat.approve(id, { decision: 'approve' })).rejects.toMatchObject({ code: 'already_resolved', status: 409 });
  const { questions } = await until(chat.state, (state) => state.questions.length === 1);
  await chat.answer(questions[0]?.askId ?? '', 'This one');
  const { entries } = await until(chat.state, ({ running }) => !running);
  expect(entries.filter((entry) => entry.kind === 'tool')).toMatchObject([
    { state: 'denied', decision: { decision: 'reject', by: 'user', reason: 'No.' } },
    { state: 'ok', answer: 'This one' },
  ]);
});

it('shows a chat opened during a turn like one that was open from the start', async () => {
  const gate = createGate();
  const { client, chatId, harness, line } = await openWorld([
    { text: ['Look: '], toolCalls: [{ name: 'read_file', args: { path: 'a' } }] },
    { text: ['It ', 'is ', 'gone'], stallAfter: 2, until: gate.opened },
  ]);
  const first = client.open(chatId);
  first.send('Go');
  await until(first.state, ({ entries }) => textsOf(entries).at(-1) === 'It is ');
  const late = openClient(line, { token: harness.token });
  const second = await openChat(late, chatId);
  expect(textsOf(second.state.get().entries)).toEqual(['Go', 'Look: ', 'read_file failed', 'It is ']);
  expect(second.state.get()).toMatchObject({ running: { waitingFor: 'model' } });
  expect(second.state.get().entries.at(-1)).toMatchObject({ isStreaming: true });
  gate.open();
  for (const chat of [first, second]) await until(chat.state, ({ running }) => !running);
  expect(textsOf(second.state.get().entries)).toEqual(textsOf(first.state.get().entries));
  expect(textsOf(second.state.get().entries).at(-1)).toBe('It is gone');
  expect(second.state.get().entries.at(-1)).toMatchObject({ isStreaming: false });
});

it('loads older pages on demand and keeps them after a reload', async () => {
  const { client, chatId, harness, line } = await openWorld((request) => ({ text: `Answer ${request.index}` }));
  const chat = client.open(chatId);
  for (let index = 0; index < 105; index++) chat.send(`Message ${index}`);
  await until(chat.state, ({ entries, running }) => entries.length === 210 && !running, 50_000);
  const all = Array.from({ length: 105 }, (_, index) => [`Message ${index}`, `Answer ${index}`]).flat();
  expect(textsOf(chat.state.get().entries)).toEqual(all);

  const other = openClient(line, { token: harness.token });
  const late = await openChat(other, chatId);
  expect(late.state.get()).toHaveProperty('before');
  const newest = late.state.get().entries.at(-1);
  await Promise.all([late.loadOlder(), late.loadOlder()]);
  expect(textsOf(late.state.get().entries)).toEqual(all);
  expect(late.state.get()).not.toHaveProperty('before');
  await late.reload();
  expect(textsOf(late.state.get().entries)).toEqual(all);
  expect(late.state.get().entries.at(-1)).toBe(newest);
  await late.loadOlder();
});

it('rejects with the code and status of a failed call', async () => {
  const { client, line } = await openWorld([]);
  const chatId = 'chat_00000000000000000000000000';
  await expect(client.call('GET /api/chats/:id', { params: { id: chatId } })).rejects.toMatchObject({ name: 'CallError', code: 'not_found', status: 404 });
  await expect(client.call('GET /api/chats/:id', { params: { id: '../settings?x=1' } })).rejects.toMatchObject({ code: 'not_found' });
  const chat = client.open(chatId);
  await until(chat.state, ({ isLoaded }) => isLoaded);
  expect(chat.state.get().entries).toMatchObject([{ kind: 'error', code: 'not_found' }]);
  line.target = undefined;
  const refused: unknown = await client.call('GET /api/chats').catch((fault: unknown) => fault);
  expect(refused).toBeInstanceOf(CallError);
  expect(refused).toMatchObject({ code: 'network', status: 0 });
  expect(client.connection.get().rest).toBe('down');
});

it('updates the chat list when chats are created, renamed or deleted', async () => {
  const { client, chatId, harness } = await openWorld([{ text: 'Hi' }]);
  await until(client.chats, ({ chats }) => chats.some((chat) => chat.chatId === chatId));
  const second = (await harness.call('POST', '/api/chats', { title: 'Second' })).body.chatId;
  await until(client.chats, ({ activeChatId, chats }) => activeChatId === second && chats.some((chat) => chat.chatId === second));
  const before = client.chats.get().chats.find((chat) => chat.chatId === chatId);
  await harness.call('PATCH', `/api/chats/${second}`, { title: 'Renamed' });
  await until(client.chats, ({ chats }) => chats.some((chat) => chat.title === 'Renamed'));
  expect(client.chats.get().chats.find((chat) => chat.chatId === chatId)).toBe(before);
  await harness.call('DELETE', `/api/chats/${second}`);
  await until(client.chats, ({ chats, activeChatId }) => !chats.some((chat) => chat.chatId === second) && activeChatId !== second);
});
