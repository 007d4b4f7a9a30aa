import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlugins } from 'agent-harness/kernel';
import type { EventFrame } from 'agent-harness/plugins/chats';
import * as Type from 'typebox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emitTurn, openChats, type OpenedChats } from './open-chats.ts';

let opened: OpenedChats;
let chatId: string;
let journal: string;
beforeEach(async () => {
  const [home, work] = await Promise.all(['home', 'work'].map((name) => mkdtemp(join(tmpdir(), `log-${name}-`))));
  opened = await openChats({ home: home as string, work: work as string });
  ({ chatId } = await opened.chats.active());
  journal = join(opened.home, 'chats', chatId, 'session.jsonl');
});
afterEach(async () => {
  await opened.close();
  await Promise.all([opened.home, opened.work].map((path) => rm(path, { recursive: true, force: true })));
});

const linesOf = async (path: string): Promise<any[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Of what the journal keeps. */
const idsOf = (frames: readonly EventFrame[] | undefined): number[] | undefined =>
  frames?.filter((frame) => frame.kind !== 'chat_switched').map((frame) => frame.id);
async function restart(): Promise<void> {
  const { home, work } = opened;
  await opened.close();
  opened = await openChats({ home, work });
}

test('ids are never given out twice, whatever happens to their file', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const first = opened.log.cursor;
  await restart();
  emitTurn(opened, chatId, 2);
  expect(opened.log.cursor).toBeGreaterThan(first);
  const second = opened.log.cursor;
  await opened.log.flushed(chatId);
  await writeFile(join(opened.home, 'event_id.json'), '{"next":');
  await restart();
  expect(opened.log.cursor).toBe(second);
  expect(opened.errors).toMatchObject([{ code: 'CHATS_ERR_EVENT_ID_BROKEN', source: 'storage' }]);
  await rm(join(opened.home, 'event_id.json'));
  await restart();
  emitTurn(opened, chatId, 3);
  expect(opened.log.cursor).toBe(second + 5);
});

test('a half-written last line is cut off when the journal is opened, and reported', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await linesOf(journal);
  await appendFile(journal, '{"id":999,"kind":"te');
  await restart();
  expect(idsOf(await opened.log.replay(chatId, 0))?.slice(0, before.length)).toEqual(before.map((event) => event.id));
  expect(opened.errors).toMatchObject([{ code: 'CHATS_ERR_JOURNAL_CUT', source: 'storage', chatId }]);
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  expect((await linesOf(journal)).map((event) => event.kind).slice(before.length)).toEqual([
    'error',
    'message_accepted',
    'turn_start',
    'text',
    'text',
    'turn_end',
  ]);
});

test('a line that cannot be read is skipped and reported once', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  await appendFile(journal, 'garbage\n{"id":5,"kind":"text",nonsense}\n');
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  await restart();
  for (let time = 0; time < 2; time++) {
    const kinds: string[] = [];
    for await (const event of opened.log.read(chatId)) kinds.push(event.kind);
    expect(kinds).toHaveLength(11);
    expect(await opened.log.replay(chatId, 0)).toHaveLength(11);
  }
  expect(opened.errors.map((error) => error.code)).toEqual(['CHATS_ERR_JOURNAL_BROKEN', 'CHATS_ERR_JOURNAL_BROKEN']);
});

test('a line of which a field has another type than readers need, or whose id cannot be one, is skipped and reported, and spoils no search', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const ids = (await linesOf(journal)).map((event) => event.id);
  const odd = [
    { id: 0, kind: 'turn_end' },
    { id: 1e20, kind: 'turn_end' },
    { id: 90, kind: 'message_accepted', messageId: 'm', text: 5, attachments: [] },
    { id: 91, kind: 'message_accepted', messageId: 'm', text: 'x', attachments: 5 },
    { id: 92, kind: 'text', messageId: 'm', offset: 'a', delta: 'x', channel: 'user' },
    { id: 93, kind: 'tool_result', callId: 'c', output: 5 },
  ];
  // The first of them at the beginning, where a replay of everything would end at an id of 0.
  const lines = odd.map((event) => JSON.stringify(event) + '\n');
  await writeFile(journal, lines[0] + (await readFile(journal, 'utf8')) + lines.slice(1).join(''));
  await restart();
  expect(idsOf(await opened.log.replay(chatId, 0))?.slice(0, ids.length)).toEqual(ids);
  expect(opened.errors.map((error) => error.code)).toEqual(odd.map(() => 'CHATS_ERR_JOURNAL_BROKEN'));
  expect(await opened.chats.search('question 1')).toHaveLength(1);
  const { entries } = await opened.chats.transcript(chatId);
  expect(entries.map((entry) => entry.kind)).toEqual(['user', 'assistant']);
});

test.each([
  ['is a folder', (path: string) => mkdir(path)],
  ['is on a full disk', (path: string) => symlink('/dev/full', path)],
] as const)('a journal that %s makes `flushed` reject and is reported, and readers still hear what happens', async (_, spoil) => {
  const blocked = await opened.chats.create({ activate: false });
  await opened.log.flushed(blocked.chatId);
  await restart();
  const path = join(opened.home, 'chats', blocked.chatId, 'session.jsonl');
  await rm(path);
  await spoil(path);
  const kinds: string[] = [];
  opened.log.subscribe((frames) => void kinds.push(...frames.map((frame) => frame.kind)));
  for (const turn of [1, 2]) {
    emitTurn(opened, blocked.chatId, turn);
    await expect(opened.log.flushed(blocked.chatId)).rejects.toMatchObject({ code: 'CHATS_ERR_JOURNAL_UNWRITABLE', status: 503 });
  }
  expect(kinds.filter((kind) => kind === 'turn_end')).toHaveLength(2);
  expect(opened.errors).toMatchObject([{ code: 'CHATS_ERR_JOURNAL_UNWRITABLE' }]);
});

test('an event whose fields the log itself sets, and one that is contributed twice, are refused', async () => {
  const schema = Type.Object({ kind: Type.String() });
  const add = (item: object) => ({ register: (registry: any) => void registry.add('wire_event', item) });
  const modules = {
    first: add({ name: 'one', description: '', schema }),
    second: add({ name: 'text', description: '', schema: {} }),
    third: add({ name: 'Bad', description: '', schema: {} }),
  };
  const report = await loadPlugins(opened.kernel.registry, opened.kernel.emitter, { sources: [{ origin: 'user', modules }] });
  const rows = report.plugins.filter((row) => row.origin === 'user');
  expect(rows.map((row) => row.state)).toEqual(['failed', 'failed', 'failed']);
  expect(rows[0]?.reason).toContain("'kind'");
});
