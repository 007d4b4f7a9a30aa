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
async function separateFiles(): Promise<string[]> {
  const folder = dirname(journal);
  const names = (await readdir(folder)).filter((name) => name.startsWith('session.jsonl.cut-'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}
async function restart(): Promise<void> {
  await opened.close();
  opened = await openChats(folders);
}

test('ids are never issued twice, whatever happens to the id file', async () => {
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

test('a partial last line is moved to a separate file on open and reported', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await linesOf(journal);
  const half = '{"id":999,"kind":"te';
  await appendFile(journal, half);
  await restart();
  expect(idsOf(await opened.log.replay(chatId, 0))?.slice(0, before.length)).toEqual(before.map((event) => event.id));
  const separate = await separateFiles();
  expect(separate).toEqual([half]);
  expect(opened.errors).toMatchObject([{ code: 'CHATS_ERR_JOURNAL_CUT', source: 'storage', message: expect.stringContaining('session.jsonl.cut-') }]);
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  expect((await linesOf(journal)).map((event) => event.kind).slice(before.length)).toEqual(kindsOfTurn);
});

test.each([
  ['zeros', (): Buffer => Buffer.alloc(96_000)],
  ['events with damaged line breaks', (text: string): Buffer => Buffer.from(text.slice(0, 300).replaceAll('\n', '\0'))],
])('preserves %s at the end of a journal, byte for byte, in a separate file', async (_, damage) => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await readFile(journal, 'utf8');
  const damaged = damage(before);
  await appendFile(journal, damaged);
  await restart();
  await opened.log.replay(chatId, 0);
  expect(await readFile(journal, 'utf8')).toBe(before);
  expect(await separateFiles()).toEqual([damaged.toString('utf8')]);
});

test('a fully damaged journal is preserved in a separate file', async () => {
  await opened.log.flushed(chatId);
  await opened.close();
  await writeFile(journal, Buffer.alloc(5_000));
  opened = await openChats({ home: opened.home, work: opened.work });
  await opened.chats.transcript(chatId);
  expect(await separateFiles()).toEqual(['\0'.repeat(5_000)]);
});

test('an event without its line break stays in the journal', async () => {
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const before = await readFile(journal, 'utf8');
  await opened.close();
  await writeFile(journal, before.trimEnd());
  opened = await openChats({ home: opened.home, work: opened.work });
  emitTurn(opened, chatId, 2);
  await opened.log.flushed(chatId);
  expect((await readFile(journal, 'utf8')).startsWith(before)).toBe(true);
  expect(await separateFiles()).toEqual([]);
  expect(opened.errors).toEqual([]);
});

test('an unreadable line is skipped and reported once', async () => {
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

test('a line with a wrong field type or an invalid id is skipped and reported, and search still works', async () => {
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
  // The first one is at the beginning, where an id of 0 would end a full replay.
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
] as const)('a journal that %s makes `flushed` reject and is reported, and readers still receive events', async (_, spoil) => {
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

test('rejects wire events that redefine log fields, duplicate a kind or have an invalid name', async () => {
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
