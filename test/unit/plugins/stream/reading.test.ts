import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openEventStream, type EventStream, type StreamEvent } from '../../../helpers/event-stream.ts';
import { openStreamRig, type StreamRig } from './open-stream.ts';

let rig: StreamRig;
let chatId: string;
beforeEach(async () => {
  rig = await openStreamRig();
  ({ chatId } = await rig.chats.active());
});
afterEach(async () => {
  expect(await rig.close()).toEqual([]);
  vi.useRealTimers();
});

const read = (query: Record<string, string> = {}, lastEventId?: string): Promise<EventStream> => openEventStream(rig, query, lastEventId);
const textsOf = (stream: EventStream): StreamEvent[] => stream.events.filter((event) => event.kind === 'text');
const idsOf = (stream: EventStream): number[] => stream.events.flatMap((event) => (event['id'] === undefined ? [] : [event['id'] as number]));

test('the first frame contains the server version, chat and cursor', async () => {
  const stream = await read();
  expect(stream.events[0]).toMatchObject({ kind: 'connected', serverVersion: '9.9.9', chatId, cursor: rig.log.cursor });
  expect(rig.kernel.resolve('stream').clients).toBe(1);
  const status = await fetch(`${rig.url}/api/status`, { headers: { authorization: `Bearer ${rig.token}` } });
  expect(await status.json()).toEqual({ clients: 1 });
  stream.close();
  await expect.poll(() => rig.kernel.resolve('stream').clients).toBe(0);
});

test('a stream consists of unbuffered, uncompressed server-sent events with ids', async () => {
  const reply = await fetch(`${rig.url}/api/stream?since=0`, { headers: { authorization: `Bearer ${rig.token}` } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(reply.headers.get('cache-control')).toContain('no-transform');
  expect(reply.headers.get('x-accel-buffering')).toBe('no');
  expect(reply.headers.get('content-encoding')).toBeNull();
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes('chat_updated')) break;
  }
  expect(text).toMatch(/^data: \{"kind":"connected".*\}\n\nid: \d+\ndata: \{"id":\d+,"kind":"chat_/);
});

test('no stream opens without a token, for an unknown chat or with an invalid position', async () => {
  expect((await fetch(`${rig.url}/api/stream`)).status).toBe(401);
  await expect(read({ chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).rejects.toThrow('404');
  await expect(read({ chatId: '../x' })).rejects.toThrow('404');
  await expect(read({ since: 'x' })).rejects.toThrow('400');
  expect(rig.kernel.resolve('stream').clients).toBe(0);
});

test('ten readers receive 2,000 events at full speed, in order and once each', async () => {
  const streams = await Promise.all(Array.from({ length: 10 }, () => read({ chatId })));
  rig.emitText(chatId, 2_000);
  rig.emit('turn_end', { chatId, turnId: 'turn_1', reason: 'done' });
  for (const stream of streams) {
    await stream.until('turn_end');
    expect(textsOf(stream).map((event) => event['offset'])).toEqual(Array.from({ length: 2_000 }, (_, index) => index * 5));
    expect(idsOf(stream)).toEqual([...idsOf(stream)].sort((left, right) => left - right));
  }
});

test('since=0 and Last-Event-ID replay without gaps or duplicates while new events arrive', async () => {
  rig.emitText(chatId, 500);
  const first = await read({ since: '0' });
  const writer = setInterval(() => rig.emitText(chatId, 100), 1);
  try {
    const half = await first.until((event) => event['offset'] === 250 * 5);
    const again = await read({ since: '0' }, String(half['id']));
    const late = await read({ chatId, since: String(half['id']) });
    await again.until((event) => event['offset'] === 3_000 * 5);
    clearInterval(writer);
    rig.emit('turn_end', { chatId, turnId: 'turn_1' });
    await Promise.all([first, again, late].map((stream) => stream.until('turn_end')));
    const all = textsOf(first).map((event) => event['id'] as number);
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => (all[0] as number) + index));
    for (const stream of [again, late]) expect(textsOf(stream).map((event) => event['id'])).toEqual(all.filter((id) => id > (half['id'] as number)));
  } finally {
    clearInterval(writer);
  }
});

test.each([{}, { chatId: 'all' }])('a reader that must resync (%o) gets no event that its transcript already covers', async (query: Record<string, string>) => {
  const writer = setInterval(() => rig.emitText(chatId, 3), 1);
  try {
    const streams = await Promise.all(Array.from({ length: 30 }, () => read(query, '999999999')));
    for (const stream of streams) {
      const { cursor } = await stream.until('transcript_replay');
      await stream.until((event) => event['id'] > cursor);
      expect(idsOf(stream).filter((id) => id <= cursor)).toEqual([]);
    }
  } finally {
    clearInterval(writer);
  }
});

async function restart(): Promise<StreamRig> {
  const { home } = rig;
  const next = rig;
  await next.kernel.resolve('http').close();
  await next.kernel.close();
  rig = await openStreamRig({ home });
  return rig;
}

test('the newest 100 global errors reach every stream once, including streams opened later', async () => {
  for (let number = 0; number < 101; number++) rig.emit('error', { source: 'plugin', plugin: 'p', code: 'X', message: `fault ${number}` });
  const { chatId: other } = await rig.chats.create({ activate: false });
  const faultsOf = (stream: EventStream): string[] => stream.events.flatMap((event) => (event.kind === 'error' ? [event['message'] as string] : []));
  const queries = [
    {},
    { chatId: 'all' },
    { chatId: other },
    { since: '0' },
    { chatId: 'all', since: '0' },
    { chatId: other, since: '0' },
    { since: '999999999' },
  ];
  const streams = await Promise.all(queries.map((query) => read(query as Record<string, string>)));
  rig.emit('error', { source: 'storage', code: 'X', message: 'fault 101' });
  const kept = Array.from({ length: 101 }, (_, index) => `fault ${index + 1}`);
  for (const stream of streams) {
    await stream.until((event) => event['message'] === 'fault 101');
    expect(faultsOf(stream).slice(-kept.length)).toEqual(kept);
    expect(new Set(faultsOf(stream)).size).toBe(faultsOf(stream).length);
  }
  const last = streams[0]?.events.at(-1)?.['id'] as number;
  rig.emitText(chatId, 1);
  for (const query of [{}, { chatId: 'all' }]) {
    const again = await read(query, String(last));
    await again.until('text');
    expect(faultsOf(again)).toEqual([]);
  }
});

test('all chats are replayed from the beginning after a restart, however many exist', async () => {
  for (let number = 0; number < 40; number++) {
    const { chatId: id } = await rig.chats.create({ activate: false });
    rig.emitText(id, 2);
    await rig.log.flushed(id);
  }
  await restart();
  const stream = await read({ chatId: 'all', since: '0' });
  await expect.poll(() => textsOf(stream).length).toBe(80);
  expect(stream.events.some((event) => event.kind === 'resync')).toBe(false);
  expect(idsOf(stream)).toEqual([...idsOf(stream)].sort((left, right) => left - right));
});

test.each(['999999999', 'nonsense'])('an unknown event id (%s) leads to a resync with the transcript, followed by new events', async (lastEventId) => {
  rig.emitText(chatId, 3);
  const stream = await read({}, lastEventId);
  const replay = await stream.until('transcript_replay');
  expect(stream.events.map((event) => event.kind)).toEqual(['connected', 'resync', 'transcript_replay']);
  expect(replay).toMatchObject({ chatId, cursor: rig.log.cursor, entries: [{ id: 'msg_1', kind: 'assistant', text: 'word word word ' }] });
  expect(replay['id']).toBeUndefined();
  rig.emit('turn_end', { chatId, turnId: 'turn_1' });
  await stream.until('turn_end');
});

test('deltas are batched for a chat with 17 readers and sent immediately for a chat with one', async () => {
  const { chatId: quiet } = await rig.chats.create({ workspaceMode: 'scratch' });
  const many = await Promise.all(Array.from({ length: 17 }, () => read({ chatId })));
  const alone = await read({ chatId: quiet });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  rig.emitText(quiet, 1);
  await alone.until('text');
  rig.emitText(chatId, 1);
  await rig.log.flushed(chatId);
  expect(vi.getTimerCount()).toBe(1);
  expect(many.flatMap(textsOf)).toEqual([]);
  vi.advanceTimersByTime(60);
  await Promise.all(many.map((stream) => stream.until('text')));
});

test('a follower is notified of a chat switch and moves, while fixed and all-chat readers do not', async () => {
  const other = await rig.chats.create({ activate: false });
  const [follower, fixed, all] = await Promise.all([read(), read({ chatId }), read({ chatId: 'all' })]);
  rig.emitText(chatId, 1, 'first');
  await rig.chats.activate(other.chatId);
  rig.emitText(chatId, 1, 'second');
  rig.emitText(other.chatId, 1, 'third');
  rig.emit('turn_end', { chatId: other.chatId, turnId: 'turn_2' });
  rig.emit('turn_end', { chatId, turnId: 'turn_1' });
  await all.until((event) => event.kind === 'turn_end' && event.chatId === chatId);
  await fixed.until('turn_end');
  expect(await follower.until('chat_switched')).toMatchObject({ chatId: other.chatId, activeChatId: other.chatId });
  await follower.until('turn_end');
  const deltas = (stream: EventStream): unknown[] => textsOf(stream).map((event) => event['delta']);
  expect(deltas(follower)).toEqual(['first', 'third']);
  expect(deltas(fixed)).toEqual(['first', 'second']);
  expect(deltas(all)).toEqual(['first', 'second', 'third']);
  expect(fixed.events.some((event) => event.kind === 'chat_switched')).toBe(false);
});

test('a server-wide event reaches every reader and is in no journal', async () => {
  const streams = await Promise.all([read(), read({ chatId }), read({ chatId: 'all' })]);
  rig.emit('heartbeat', { runId: 'r' });
  for (const stream of streams) expect(await stream.until('heartbeat')).toMatchObject({ runId: 'r' });
  for await (const event of rig.log.read(chatId)) expect(event.kind).not.toBe('heartbeat');
});

test('readers of a busy chat get its status immediately and every 5 s, and a comment keeps idle streams alive', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  rig.statuses.set(chatId, { chatId, busy: true, turnId: 'turn_1', waitingFor: 'model', since: '2026-01-01T00:00:00.000Z' });
  const stream = await read();
  expect(await stream.until('harness_running')).toMatchObject({ chatId, turnId: 'turn_1', waitingFor: 'model', since: '2026-01-01T00:00:00.000Z' });
  vi.advanceTimersByTime(15_000);
  const running = (): StreamEvent[] => stream.events.filter((event) => event.kind === 'harness_running');
  await expect.poll(() => running().length).toBe(4);
  expect(running().every((event) => event['id'] === undefined)).toBe(true);
  rig.statuses.delete(chatId);
  vi.advanceTimersByTime(5_000);
  rig.emit('turn_end', { chatId, turnId: 'turn_1' });
  await stream.until('turn_end');
  expect(running()).toHaveLength(4);
});
