import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGate, kindsOf, useAgentBench } from './agent-bench.ts';

const open = useAgentBench();
const users = (messages: readonly any[]): string[] => messages.filter((message) => message.role === 'user').map((message) => message.content);

test('of two concurrent messages one starts a turn and the other returns 409', async () => {
  const bench = await open();
  bench.model.push({ text: 'once' });
  const replies = await Promise.all([bench.send('one'), bench.send('two')]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([202, 409]);
  await bench.idle();
  expect(bench.model.requests).toHaveLength(1);
  expect((await bench.kernel.resolve('chats').get()).turns).toBe(1);
});

test('a steer during turn.finalize joins the same turn', async () => {
  const bench = await open();
  bench.model.push({ text: 'first' }, { text: 'second' });
  const steered = createGate<any>();
  let isFirst = true;
  bench.emitter.tap('turn.finalize', async () => {
    if (isFirst) steered.open(await bench.send('wait, also this', { whenBusy: 'steer' }));
    isFirst = false;
    return undefined;
  });
  const sent = await bench.send('go');
  expect((await steered.opened).body).toMatchObject({ turnId: sent.body.turnId, queued: false });
  expect(await bench.ended(sent.body.turnId)).toMatchObject({ reason: 'done', rounds: 2 });
  expect(users(bench.said(1))).toEqual(['go', 'wait, also this']);
});

test('a steer before the first round or after the end of a turn starts its own turn', async () => {
  const bench = await open();
  bench.model.push({ text: 'first' }, { text: 'second' }, { text: 'third' });
  const { submit } = bench.kernel.resolve('turns');
  const late: Promise<any>[] = [];
  const early: Promise<any>[] = [];
  bench.emitter.tap('turn.before', async (turn) => {
    if (turn.text === 'go') early.push(submit({ text: 'early', whenBusy: 'steer' }));
    await Promise.all(early);
  });
  bench.emitter.on('turn_end', () => {
    if (late.length === 0) late.push(submit({ text: 'late', whenBusy: 'steer' }));
  });
  const { turnId } = (await bench.send('go')).body;
  await bench.ended(turnId);
  const others = await Promise.all([...early, ...late]);
  for (const other of others) expect(await bench.ended(other.turnId)).toMatchObject({ reason: 'done' });
  expect(new Set([turnId, ...others.map((other) => other.turnId)]).size).toBe(3);
  expect(bench.model.requests.map((_, at) => users(bench.said(at)))).toEqual([['go'], ['go', 'early'], ['go', 'early', 'late']]);
  for (const id of [turnId, ...others.map((other) => other.turnId)]) {
    expect(kindsOf(await bench.journal(), id).filter((kind) => /^(message_accepted|turn_)/.test(kind))).toEqual(['message_accepted', 'turn_start', 'turn_end']);
  }
});

test('a reset never splits a message being accepted from its turn', async () => {
  const bench = await open();
  bench.model.push({ text: 'one' }, { text: 'two', stallAfter: 0 });
  await bench.ended((await bench.send('first')).body.turnId);
  const attachments = [{ name: 'a.txt', dataUrl: `data:text/plain;base64,${'QUJD'.repeat(100_000)}` }];
  const [sent, reset] = await Promise.all([bench.send('second', { attachments }), bench.kernel.resolve('chats').get().then(() => bench.call('POST', '/api/session/reset', { mode: 'soft' }))]); // prettier-ignore
  const journal = (await bench.journal()).map((event) => event.kind);
  const lastStart = journal.lastIndexOf('turn_start');
  // Either order is fine, but never between a message and its turn.
  expect([200, 409]).toContain(reset.status);
  expect(journal.slice(journal.lastIndexOf('message_accepted'), lastStart)).not.toContain('conversation_reset');
  expect(sent.status).toBe(202);
  await bench.abort();
});

test('deleting a chat aborts its turn and its queue and rejects further messages', async () => {
  const bench = await open();
  bench.model.push({ text: ['never ', 'ends'], stallAfter: 1 });
  const { chatId } = await bench.kernel.resolve('chats').create();
  const first = (await bench.send('one', { chatId })).body;
  await bench.stream.until('text');
  const queued = (await bench.send('two', { chatId, whenBusy: 'queue' })).body;
  const late = createGate<number>();
  bench.emitter.tap('chat.close', async () => late.open((await bench.send('three', { chatId, whenBusy: 'queue' })).status));
  expect((await bench.call('DELETE', `/api/chats/${chatId}`)).status).toBe(200);
  expect(await bench.ended(first.turnId)).toMatchObject({ reason: 'aborted' });
  expect(await bench.ended(queued.turnId)).toMatchObject({ reason: 'interrupted' });
  expect(await late.opened).toBe(404);
  expect((await bench.send('four', { chatId })).status).toBe(404);
  expect(existsSync(join(bench.home, 'chats', chatId))).toBe(false);
  expect(await readdir(join(bench.home, 'running'))).toEqual([]);
  expect((await bench.call('GET', '/api/status')).body).toMatchObject({ busy: false, chats: [] });
});

test('a message sent during the deletion of its chat is rejected or its turn ends', async () => {
  const bench = await open();
  bench.model.push(...Array.from({ length: 20 }, () => ({ text: 'x', delayMs: 2, always: false })));
  for (let at = 0; at < 10; at++) {
    const { chatId } = await bench.kernel.resolve('chats').create({ activate: false });
    const sending = bench.send('go', { chatId });
    for (let ticks = at; ticks > 0; ticks--) await new Promise(setImmediate);
    await bench.call('DELETE', `/api/chats/${chatId}`);
    const sent = await sending;
    expect([202, 404]).toContain(sent.status);
    if (sent.status === 202) expect(await bench.ended(sent.body.turnId)).toMatchObject({ chatId });
    expect(existsSync(join(bench.home, 'chats', chatId))).toBe(false);
  }
  expect((await bench.call('GET', '/api/status')).body.busy).toBe(false);
});

test('under rapid messages a busy chat always has its marker file, and an idle chat has none', async () => {
  const bench = await open();
  bench.model.push({ text: 'again', always: true });
  const { chatId } = await bench.kernel.resolve('chats').active();
  const marker = join(bench.home, 'running', chatId);
  const missing: string[] = [];
  bench.emitter.on('turn_start', () => void (existsSync(marker) || missing.push('start')));
  bench.emitter.tap('round.before', () => void (existsSync(marker) || missing.push('round')));
  let left = 30;
  let underway = 0;
  const { submit, isBusy } = bench.kernel.resolve('turns');
  const sendNext = (): void => {
    if (left-- <= 0) return;
    underway++;
    void submit({ text: String(left), whenBusy: left % 3 === 0 ? 'steer' : 'queue' }).finally(() => underway--);
  };
  bench.emitter.on('turn_end', () => setImmediate(sendNext));
  bench.emitter.on('message_accepted', () => (left % 4 === 0 ? sendNext() : undefined));
  sendNext();
  while (left > 0 || underway > 0 || isBusy()) await new Promise(setImmediate);
  await bench.kernel.resolve('eventLog').flushed(chatId);
  expect(missing).toEqual([]);
  const journal = await bench.journal();
  const count = (kind: string): number => journal.filter((event) => event.kind === kind).length;
  expect(count('turn_start')).toBe(count('turn_end'));
  expect(existsSync(marker)).toBe(false);
});
