// Tests the outbox: no message is lost, sent twice or sent out of order.
import { expect, it } from 'vitest';
import { CallError } from 'agent-harness/client';
import { createOutbox, type Acknowledgement, type Outbox, type OutboxOptions } from '../../../../builtins/clients/client/outbox.ts';
import type { Outgoing } from '../../../../builtins/clients/client/state.ts';
import { storeMessages } from '../../../../builtins/clients/client/stored-messages.ts';
import { type Harness, type Script } from '../../../helpers/in-process.ts';
import { keepTexts, openChat, openClient, startServer, until, type Line } from './parts.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';

const answering: Script = (request) => ({ text: `Answer to ${request.body.messages.at(-1).content}` });
const textsOf = async (harness: Harness, chatId: string): Promise<string[]> =>
  (await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.flatMap((entry: any) => (entry.kind === 'user' ? [entry.text] : []));

it('sends messages written while the server was unreachable, in order, after it returns', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const client = openClient(line, { token: harness.token });
  const chat = await openChat(client, chatId);
  line.target = undefined;
  line.cut();
  for (const text of ['one', 'two', 'three']) chat.send(text);
  expect(chat.state.get().entries).toMatchObject(['one', 'two', 'three'].map((text) => ({ kind: 'user', text, state: 'sending' })));
  await until(client.connection, ({ rest, stream }) => rest === 'down' && stream === 'lost');
  line.target = harness;
  await until(chat.state, ({ entries, running }) => entries.length === 6 && !running);
  expect(chat.state.get().entries.map((entry) => entry.kind)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
  expect(chat.state.get().entries.every((entry) => entry.kind !== 'user' || entry.state === 'accepted')).toBe(true);
  expect(await textsOf(harness, chatId)).toEqual(['one', 'two', 'three']);
});

it('sends stored messages after a page reload', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const storage = keepTexts();
  line.target = undefined;
  const before = openClient(line, { token: harness.token, kept: storage });
  await before.start();
  before.open(chatId).send('written before', { attachments: [{ name: 'a.txt', dataUrl: 'data:text/plain;base64,aGk=' }] });
  before.close();
  expect(storage.texts.get('outbox')).toContain('written before');

  line.target = harness;
  const client = openClient(line, { token: harness.token, kept: storage });
  const chat = client.open(chatId);
  await client.start();
  const { entries } = await until(chat.state, (state) => state.entries.length === 2 && !state.running);
  expect(entries[0]).toMatchObject({ text: 'written before', state: 'accepted', attachments: [{ name: 'a.txt' }] });
  expect(storage.texts.has('outbox')).toBe(false);
});

it('does not send a message twice when only its reply was lost', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const storage = keepTexts();
  let lost = 0;
  const lossy: Line = {
    ...line,
    async fetch(address, init) {
      const reply = await line.fetch(address, init);
      if (!address.endsWith('/api/message') || lost++ > 1) return reply;
      throw new TypeError('connection reset');
    },
  };
  const client = openClient(lossy, { token: harness.token, kept: storage });
  await client.start();
  const chat = client.open(chatId);
  chat.send('only once', { liveDictation: true });
  await until(chat.state, ({ entries, running }) => entries.length === 2 && !running);
  await expect.poll(() => storage.texts.has('outbox')).toBe(false);
  expect(lost).toBeGreaterThan(2);
  expect(await textsOf(harness, chatId)).toEqual(['only once']);
  expect(chat.state.get().entries).toHaveLength(2);
  expect(chat.state.get().entries[0]).toMatchObject({ kind: 'user', liveDictation: true });
});

it('shows a message once when the transcript contains it before its reply arrives', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const { open: release, opened: held } = createGate();
  let hasStream = true;
  const slow: Line = {
    ...line,
    async fetch(address, init) {
      if (!hasStream && address.includes('/api/stream')) throw new TypeError('fetch failed');
      const reply = await line.fetch(address, init);
      if (address.endsWith('/api/message')) await held;
      return reply;
    },
  };
  const client = openClient(slow, { token: harness.token });
  const chat = await openChat(client, chatId);
  hasStream = false;
  line.cut();
  chat.send('only once');
  await expect.poll(() => textsOf(harness, chatId)).toEqual(['only once']);
  await chat.reload();
  const users = (): readonly string[] => chat.state.get().entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  expect(users()).toEqual(['only once']);
  hasStream = true;
  release();
  await until(chat.state, ({ entries, running }) => entries.length === 2 && !running);
  expect(users()).toEqual(['only once']);
});

it('shows a refused message as failed and can resend or drop it', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const storage = keepTexts();
  const client = openClient(line, { token: harness.token, kept: storage });
  await client.start();
  const chat = client.open(chatId);
  chat.send('   ');
  chat.send('fine');
  await until(chat.state, ({ entries, running }) => entries.length === 3 && !running);
  const failed = chat.state.get().entries.at(-1);
  expect(failed).toMatchObject({ kind: 'user', state: 'failed', problem: expect.stringContaining('The message is empty') });
  const clientId = failed?.kind === 'user' ? (failed.clientId ?? '') : '';

  const again = openClient(line, { token: harness.token, kept: storage });
  const other = again.open(chatId);
  await again.start();
  await until(other.state, ({ isLoaded, entries }) => isLoaded && entries.some((entry) => entry.kind === 'user' && entry.state === 'failed'));
  const asked = line.asked.length;
  other.resend(clientId);
  expect(other.state.get().entries.at(-1)).toMatchObject({ state: 'sending' });
  await until(other.state, ({ entries }) => entries.some((entry) => entry.kind === 'user' && entry.state === 'failed'));
  expect(line.asked.slice(asked).filter(({ key }) => key === 'POST /api/message')).toHaveLength(1);
  other.drop(clientId);
  expect(other.state.get().entries).toHaveLength(2);
  expect(storage.texts.has('outbox')).toBe(false);
});

it('keeps oversized attachments in memory only, and does not send the text without them after a reload', async () => {
  const { harness, line, chatId } = await startServer(answering);
  const storage = keepTexts(2_000);
  const big = { name: 'big.bin', dataUrl: `data:application/octet-stream;base64,${'A'.repeat(4_000)}` };
  line.target = undefined;
  const before = openClient(line, { token: harness.token, kept: storage });
  await before.start();
  const chat = before.open(chatId);
  chat.send('with a big file', { attachments: [big] });
  expect(chat.state.get().entries.map((entry) => 'text' in entry && entry.text)).toEqual([expect.stringMatching(/^\[UI\] The files/), 'with a big file']);
  before.close();

  line.target = harness;
  const client = openClient(line, { token: harness.token, kept: storage });
  const after = client.open(chatId);
  await client.start();
  await until(after.state, ({ isLoaded, entries }) => isLoaded && entries.length === 1);
  expect(after.state.get().entries).toMatchObject([{ text: 'with a big file', state: 'failed', problem: expect.stringContaining('too large') }]);
  expect(line.asked.some(({ key, body }) => key === 'POST /api/message' && body === '')).toBe(false);
});

it('does not serialize files that no browser can store', () => {
  const written: string[] = [];
  const texts = { getItem: () => null, setItem: (_key: string, text: string) => void written.push(text), removeItem: () => undefined };
  const attachments = [{ name: 'big.bin', dataUrl: 'A'.repeat(5_000_001) }];
  expect(storeMessages(texts).put({ clientId: 'c', chatId: 'k', text: 'with a big file', attachments, at: '', whenBusy: 'queue' })).toBe(false);
  expect(written.map((text) => JSON.parse(text))).toMatchObject([[{ text: 'with a big file', attachments: [], lostFiles: true }]]);
});

it('sends one message per chat at a time, and other chats in parallel', async () => {
  const posted: string[] = [];
  const replies = new Map<string, (reply: Acknowledgement) => void>();
  const outbox = makeOutbox({
    post: (message) => new Promise((resolve) => (posted.push(message.text), replies.set(message.text, resolve))),
  });
  outbox.start();
  for (const [chatId, text] of [['c1', 'a'], ['c1', 'b'], ['c2', 'c']] as const) outbox.add(message(chatId, text)); // prettier-ignore
  expect(posted).toEqual(['a', 'c']);
  replies.get('a')?.({ turnId: 't', messageId: 'm', chatId: 'c1', queued: true });
  await Promise.resolve().then(() => undefined);
  await expect.poll(() => posted).toEqual(['a', 'c', 'b']);
  expect(outbox.entries('c1')).toMatchObject([
    { text: 'a', state: 'queued' },
    { text: 'b', state: 'sending' },
  ]);
});

it('does not retry after a refused token until woken', async () => {
  let refusals = 0;
  const outbox = makeOutbox({
    async post() {
      refusals++;
      throw new CallError('no', 'unauthorized', 401);
    },
  });
  outbox.start();
  outbox.add(message('c', 'a'));
  await expect.poll(() => refusals).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(refusals).toBe(1);
  outbox.wake();
  await expect.poll(() => refusals).toBe(2);
});

const message = (chatId: string, text: string): Outgoing => ({ chatId, text, clientId: `${chatId}-${text}`, attachments: [], whenBusy: 'queue', at: '' });

function makeOutbox(options: Pick<OutboxOptions, 'post'>): Outbox {
  const nothing = (): void => undefined;
  const outbox = createOutbox({ kept: undefined, onChange: nothing, onAccepted: nothing, tell: nothing, waits: { first: 1, longest: 2 }, ...options });
  closeAfterTest(() => outbox.close());
  return outbox;
}
