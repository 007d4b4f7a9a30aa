import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadPlugins } from 'agent-harness/kernel';
import type { EventFrame } from 'agent-harness/plugins/chats';
import * as Type from 'typebox';
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
const kindsOfTurn = ['message_accepted', 'turn_start', 'text', 'text', 'turn_end'];
async function asides(): Promise<string[]> {
  const folder = dirname(journal);
  const names = (await readdir(folder)).filter((name) => name.startsWith('session.jsonl.cut-'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}
async function restart(): Promise<void> {
  await opened.close();
  opened = await openChats(folders);
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
  await rm(join(opened.home, 'event_id.json'), { force: true });
  await restart();
  emitTurn(opened, chatId, 3);
  expect(opened.log.cursor).toBe(second + 5);
});

test('a half-written last line is moved to a file beside the journal when that is opened, and reported', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await linesOf(journal);
  const half = '{"id":999,"kind":"te';
  await appendFile(journal, half);
  await restart();
  expect(idsOf(await opened.log.replay(chatId, 0))?.slice(0, before.length)).toEqual(before.map((event) => event.id));
  const aside = await asides();
  expect(aside).toEqual([half]);
  expect(opened.errors).toMatchObject([{ code: 'CHATS_ERR_JOURNAL_CUT', source: 'storage', message: expect.stringContaining('session.jsonl.cut-') }]);
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  expect((await linesOf(journal)).map((event) => event.kind).slice(before.length)).toEqual(kindsOfTurn);
});

test.each([
  ['zeros', (): Buffer => Buffer.alloc(96_000)],
  ['events whose line breaks are damaged', (text: string): Buffer => Buffer.from(text.slice(0, 300).replaceAll('\n', '\0'))],
])('%s at the end of a journal are kept, byte for byte', async (_, damage) => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await readFile(journal, 'utf8');
  const damaged = damage(before);
  await appendFile(journal, damaged);
  await restart();
  await opened.log.replay(chatId, 0);
  expect(await readFile(journal, 'utf8')).toBe(before);
  expect(await asides()).toEqual([damaged.toString('utf8')]);
});

test('a journal that is damaged from its first byte on is kept', async () => {
  await opened.log.flushed(chatId);
  await opened.close();
  await writeFile(journal, Buffer.alloc(5_000));
  opened = await openChats({ home: opened.home, work: opened.work });
  await opened.chats.transcript(chatId);
  expect(await asides()).toEqual(['\0'.repeat(5_000)]);
});

test('an event that lacks no more than its line break stays', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await readFile(journal, 'utf8');
  await opened.close();
  await writeFile(journal, before.trimEnd());
  opened = await openChats({ home: opened.home, work: opened.work });
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  expect((await readFile(journal, 'utf8')).startsWith(before)).toBe(true);
  expect(await asides()).toEqual([]);
  expect(opened.errors).toEqual([]);
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
