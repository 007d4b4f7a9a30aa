import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventFrame } from 'agent-harness/plugins/chats';
import { beforeEach, expect, test } from 'vitest';
import { emitTurn, openChats, type OpenedChats } from './open-chats.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

let opened: OpenedChats;
let chatId: string;
let journal: string;
const folders = { home: useFolder('log-home-'), work: useFolder('log-work-') };
beforeEach(async () => {
  opened = await openChats(folders);
  ({ chatId } = await opened.chats.active());
  journal = join(opened.home, 'chats', chatId, 'session.jsonl');
});

const linesOf = async (path: string): Promise<any[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const idsOf = (frames: readonly EventFrame[] | undefined): number[] | undefined =>
  frames?.filter((frame) => frame.kind !== 'chat_switched').map((frame) => frame.id);
async function restart(): Promise<void> {
  await opened.close();
  opened = await openChats(folders);
}

test('an event is journaled before readers receive it, and all events of a pass arrive in one batch in order', async () => {
  const other = await opened.chats.create({ activate: false });
  await opened.log.flushed(chatId);
  const batches: (readonly EventFrame[])[] = [];
  const written: number[] = [];
  const seen = new Promise<void>((resolve) => {
    opened.log.subscribe((frames) => {
      batches.push(frames);
      void readFile(journal, 'utf8').then((text) => {
        written.push(text.split('\n').length);
        resolve();
      });
    });
  });
  emitTurn(opened, chatId, 1);
  emitTurn(opened, other.chatId, 2);
  opened.emit('tool_progress', { chatId, turnId: 't', callId: 'c', note: 'n' });
  await seen;
  expect(batches).toHaveLength(1);
  expect(written[0]).toBeGreaterThan(5);
  const ids = idsOf(batches[0]) ?? [];
  expect(ids).toEqual(ids.map((_, index) => (ids[0] as number) + index));
  expect(JSON.parse(batches[0]?.[2]?.json ?? '')).toMatchObject({ id: ids[2], kind: 'text', chatId, at: expect.stringMatching(/Z$/), delta: 'Hello' });
  const saved = await linesOf(journal);
  expect(saved.map((event) => event.kind)).toEqual(['chat_updated', 'message_accepted', 'turn_start', 'text', 'text', 'turn_end']);
  expect((await stat(journal)).mode & 0o777).toBe(0o600);
});

test('replay returns events after an id, from memory and, after a restart, from disk', async () => {
  for (let turn = 1; turn <= 3; turn++) emitTurn(opened, chatId, turn);
  await opened.log.flushed(chatId);
  const saved = await linesOf(journal);
  const ids = saved.map((event) => event.id as number);
  for (const source of ['memory', 'disk']) {
    if (source === 'disk') await restart();
    expect(idsOf(await opened.log.replay(chatId, 0)), source).toEqual(ids);
    expect(idsOf(await opened.log.replay(chatId, ids[4] as number)), source).toEqual(ids.slice(5));
    expect(idsOf(await opened.log.replay(chatId, ids.at(-1) as number)), source).toEqual([]);
  }
  const [frame] = (await opened.log.replay(chatId, ids[4] as number)) ?? [];
  expect(JSON.parse(frame?.json ?? '')).toEqual(saved[5]);
  expect(await opened.log.replay(chatId, 10_000_000)).toBeUndefined();
  expect(await opened.log.replay('chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', 0)).toBeUndefined();
});

test('events evicted from memory are replayed from disk without a gap', async () => {
  const delta = 'x'.repeat(10_000);
  for (let index = 0; index < 500; index++) opened.emit('text', { chatId, turnId: 't', messageId: 'm', offset: index * 10_000, delta, channel: 'user' });
  await opened.log.flushed(chatId);
  const ids = (await linesOf(journal)).map((event) => event.id as number);
  expect(idsOf(await opened.log.replay(chatId, ids[100] as number))).toEqual(ids.slice(101));
  expect(idsOf(await opened.log.replay(chatId, ids[480] as number))).toEqual(ids.slice(481));
  expect(idsOf(await opened.log.replayAll(ids[100] as number))).toEqual(ids.slice(101));
  expect(idsOf(await opened.log.replayAll(ids[480] as number))).toEqual(ids.slice(481));
  expect(await opened.log.replayAll(opened.log.cursor + 1)).toBeUndefined();
});

test('events of all chats are replayed in id order, including those from before a restart', async () => {
  const chats = await Promise.all(Array.from({ length: 40 }, async () => (await opened.chats.create({ activate: false })).chatId));
  for (let turn = 1; turn <= 3; turn++) for (const id of chats) emitTurn(opened, id, turn);
  await Promise.all(chats.map((id) => opened.log.flushed(id)));
  const saved = (await Promise.all([chatId, ...chats].map((id) => linesOf(join(opened.home, 'chats', id, 'session.jsonl'))))).flat();
  const ids = saved.map((event) => event.id as number).sort((left, right) => left - right);
  await restart();
  expect(idsOf(await opened.log.replayAll(0))).toEqual(ids);
  emitTurn(opened, chatId, 9);
  const all = idsOf(await opened.log.replayAll(0));
  expect(all).toHaveLength(ids.length + 5);
  expect(idsOf(await opened.log.replayAll(ids[200] as number))).toEqual(all?.slice(201));
});

test('with AGENT_SESSION_JSONL=0 the journal truncates tool output, and readers receive it in full', async () => {
  const small = await openChats({ environment: { AGENT_SESSION_JSONL: '0' } });
  const chat = await small.chats.active();
  const frames: EventFrame[] = [];
  small.log.subscribe((some) => void frames.push(...some));
  small.emit('tool_result', { chatId: chat.chatId, turnId: 't', callId: 'c', name: 'n', ok: true, output: 'y'.repeat(5_000), durationMs: 1 });
  await small.log.flushed(chat.chatId);
  const [, saved] = await linesOf(join(small.home, 'chats', chat.chatId, 'session.jsonl'));
  expect(saved.output.length).toBeLessThan(2_200);
  expect(saved.truncated).toBe(true);
  expect(JSON.parse(frames.at(-1)?.json ?? '').output).toHaveLength(5_000);
});

test('idle chats are closed when many are open and reopen at the same position', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await opened.chats.create({ activate: false })).chatId));
  const openedIds: string[] = [];
  opened.emitter.tap('chat.open', (id) => void openedIds.push(id));
  for (const id of ids) emitTurn(opened, id, 1);
  await opened.log.flushed(chatId);
  expect((await opened.chats.list()).residentChatIds.length).toBeLessThanOrEqual(24);
  expect(openedIds.length).toBeGreaterThan(20);
  emitTurn(opened, ids[0] as string, 2);
  expect(await opened.log.replay(ids[0] as string, 0)).toHaveLength(11);
});

test('logging 50,000 events costs less than three times as much as writing them as lines', async () => {
  const count = 50_000;
  const eventAt = (index: number): object => ({ chatId, turnId: 't', messageId: 'm', offset: index * 4, delta: 'word', channel: 'user' });
  let seen = 0;
  opened.log.subscribe((frames) => void (seen += frames.length));
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const floor = (): Promise<number> =>
    timed(async () => {
      const lines = Array.from({ length: count }, (_, index) =>
        JSON.parse(JSON.stringify({ ...eventAt(index), kind: 'text', id: index, at: new Date().toISOString() })),
      );
      await writeFile(join(opened.home, 'floor'), lines.map((line) => JSON.stringify(line)).join('\n'));
    });
  const log = (): Promise<number> =>
    timed(async () => {
      for (let index = 0; index < count; index++) opened.emit('text', eventAt(index));
      await opened.log.flushed(chatId);
    });
  // Alternates both measurements, so that a slow phase of the machine affects both.
  const ratios: number[] = [];
  for (let round = 0; round < 4; round++) ratios.push((await log()) / (await floor()));
  expect(seen).toBeGreaterThanOrEqual(4 * count);
  expect(Math.min(...ratios)).toBeLessThan(3);
});
