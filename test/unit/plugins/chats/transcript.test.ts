import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from 'agent-harness/transcript';
import { beforeEach, expect, test } from 'vitest';
import { emitTurn, openChats } from './open-chats.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let chatId: string;
const opened = useEach(() => openChats());
beforeEach(async () => {
  ({ chatId } = await opened.chats.active());
});

const shapeOf = (entries: readonly Entry[]): unknown[] => entries.map((entry) => [entry.kind, entry.kind === 'tool' ? entry.name : entry.text]);

test('text deltas become one reply with its reasoning, and a call one entry with approval and result', async () => {
  const inTurn = { chatId, turnId: 'turn_1' };
  const call = { ...inTurn, callId: 'call_1', name: 'run_command' };
  opened.emit('message_accepted', {
    ...inTurn,
    messageId: 'msg_1',
    text: 'Do it',
    attachments: [{ attachmentId: 'att_1', name: 'a', mimeType: 'text/plain', bytes: 1 }],
  });
  opened.emit('turn_start', { ...inTurn, messageId: 'msg_1', model: 'm' });
  opened.emit('text', { ...inTurn, messageId: 'msg_2', offset: 0, delta: 'Hmm', channel: 'reasoning' });
  opened.emit('text', { ...inTurn, messageId: 'msg_2', offset: 0, delta: 'I will', channel: 'user' });
  opened.emit('text', { ...inTurn, messageId: 'msg_2', offset: 6, delta: ' now', channel: 'user' });
  opened.emit('text', { ...inTurn, messageId: 'msg_2', offset: 6, delta: ' now', channel: 'user' });
  opened.emit('tool_start', { ...call, messageId: 'msg_2' });
  opened.emit('tool_start', { ...call, messageId: 'msg_2', args: { command: 'ls' } });
  opened.emit('tool_approval', { ...call, approvalId: 'appr_1', reason: 'Why', expiresAt: 'soon', effects: [], args: {} });
  opened.emit('approval_decision', { ...inTurn, callId: 'call_1', approvalId: 'appr_1', decision: 'edit', by: 'user', args: { command: 'ls -l' } });
  opened.emit('tool_result', { ...call, ok: true, output: 'files', durationMs: 5, artifactId: 'abc' });
  opened.emit('turn_end', { ...inTurn, reason: 'error', error: { code: 'x', message: 'Went wrong' } });
  const { entries, cursor } = await opened.chats.transcript(chatId);
  expect(cursor).toBeUndefined();
  expect(entries).toMatchObject([
    { id: 'msg_1', kind: 'user', text: 'Do it', turnId: 'turn_1', state: 'accepted', attachments: [{ attachmentId: 'att_1' }] },
    { id: 'msg_2', kind: 'assistant', text: 'I will now', reasoning: 'Hmm' },
    {
      id: 'call_1',
      kind: 'tool',
      name: 'run_command',
      args: { command: 'ls -l' },
      ok: true,
      output: 'files',
      durationMs: 5,
      artifactId: 'abc',
      state: 'ok',
      approval: { approvalId: 'appr_1', reason: 'Why' },
      decision: { decision: 'edit', by: 'user' },
    },
    { kind: 'error', code: 'x', text: 'Went wrong' },
  ]);
});

test('text of a failed attempt is hidden, and a call without a result is interrupted', async () => {
  const inTurn = { chatId, turnId: 'turn_1' };
  opened.emit('turn_start', { ...inTurn, messageId: 'msg_1', model: 'm' });
  opened.emit('text', { ...inTurn, messageId: 'msg_2', offset: 0, delta: 'void', channel: 'user' });
  opened.emit('tool_start', { ...inTurn, callId: 'call_0', messageId: 'msg_2', name: 'never_ran' });
  opened.emit('provider_retry', { ...inTurn, attempt: 1, of: 8, reason: '429', delayMs: 1 });
  opened.emit('text', { ...inTurn, messageId: 'msg_3', offset: 0, delta: 'kept', channel: 'user' });
  opened.emit('tool_start', { ...inTurn, callId: 'call_1', messageId: 'msg_3', name: 'ran', args: {} });
  opened.emit('turn_end', { ...inTurn, reason: 'interrupted' });
  const { entries } = await opened.chats.transcript(chatId);
  expect(shapeOf(entries)).toEqual([
    ['assistant', 'kept'],
    ['tool', 'ran'],
    ['system', expect.stringContaining('Interrupted')],
  ]);
  expect(entries[1]).toMatchObject({ state: 'interrupted' });
});

test('pages of any size join without gaps or duplicates', async () => {
  for (let turn = 1; turn <= 12; turn++) {
    if (turn % 3 === 0) emitCalls(turn);
    emitTurn(opened, chatId, turn, ['a', 'b', 'ü😀']);
  }
  const whole = await opened.chats.transcript(chatId, { limit: 1_000 });
  expect(whole.cursor).toBeUndefined();
  for (const limit of [1, 2, 3, 5, 7]) {
    const pages: (readonly Entry[])[] = [];
    for (let before: string | undefined; ;) {
      const page = await opened.chats.transcript(chatId, { limit, ...(before === undefined ? {} : { before }) });
      pages.unshift(page.entries);
      before = page.cursor;
      if (before === undefined) break;
      expect(page.entries.length).toBeGreaterThanOrEqual(limit);
    }
    expect(pages.flat(), `pages of ${limit}`).toEqual(whole.entries);
    expect(pages.length).toBeGreaterThan(3);
  }
});

function emitCalls(turn: number): void {
  const inTurn = { chatId, turnId: `turn_calls_${turn}` };
  opened.emit('turn_start', { ...inTurn, messageId: 'x', model: 'm' });
  for (const round of [1, 2]) {
    const messageId = `msg_${turn}_${round}_calls`;
    const callIds = ['a', 'b'].map((name) => `call_${turn}_${round}_${name}`);
    opened.emit('text', { ...inTurn, messageId, offset: 0, delta: 'calling', channel: 'user' });
    for (const callId of callIds) opened.emit('tool_start', { ...inTurn, callId, messageId, name: 't' });
    for (const callId of callIds) {
      opened.emit('tool_start', { ...inTurn, callId, messageId, name: 't', args: {} });
      opened.emit('tool_result', { ...inTurn, callId, name: 't', ok: true, output: '', durationMs: 1 });
    }
  }
  opened.emit('turn_end', { ...inTurn, reason: 'done' });
}

test('a journal of 100,000 events opens at its end without reading all of it', async () => {
  const words = Array.from({ length: 96 }, () => 'word ');
  for (let turn = 1; turn <= 1_000; turn++) emitTurn(opened, chatId, turn, words);
  await opened.log.flushed(chatId);
  const { entries, cursor } = await opened.chats.transcript(chatId, { limit: 20 });
  expect(entries).toHaveLength(20);
  expect(entries.at(-1)).toMatchObject({ id: 'msg_1000_reply', text: words.join('') });
  const { size } = await stat(join(opened.chats.folder(chatId), 'session.jsonl'));
  expect(Number(cursor) / size).toBeGreaterThan(0.98);
});

test('search finds words across deltas in all chats, newest chat first', async () => {
  emitTurn(opened, chatId, 1, ['The quick br', 'own fox', ' jumps']);
  const other = await opened.chats.create({ activate: false });
  emitTurn(opened, other.chatId, 2, ['Nothing here']);
  opened.emit('message_accepted', { chatId: other.chatId, turnId: 'turn_9', messageId: 'msg_9', text: 'Where is the BROWN Fox?', attachments: [] });
  const hits = await opened.chats.search('brown fox');
  expect(hits).toMatchObject([
    { chatId: other.chatId, entryId: 'msg_9', excerpt: 'Where is the BROWN Fox?' },
    { chatId, entryId: 'msg_1_reply', excerpt: 'The quick brown fox jumps' },
  ]);
  expect(await opened.chats.search('brown fox', 1)).toHaveLength(1);
  expect(await opened.chats.search('  ')).toEqual([]);
  const found = async (query: string) => (await opened.chats.search(query)).map(({ entryId }) => entryId);
  expect(await found('jumps quick')).toEqual(['msg_1_reply']);
  expect(await found('fox where')).toEqual(['msg_9']);
  expect(await found('fox nowhere')).toEqual([]);
  expect(await found('"fox brown"')).toEqual([]);
  expect(await found('"quick brown" jumps')).toEqual(['msg_1_reply']);
  expect(await found('""')).toEqual([]);
});

test('a fork contains all events up to its turn with new ids, artifacts and plugin data', async () => {
  const first = emitTurn(opened, chatId, 1);
  emitTurn(opened, chatId, 2);
  opened.emit('turn_start', { chatId, turnId: 'turn_running', messageId: 'm', model: 'm' });
  const source = opened.chats.folder(chatId);
  await mkdir(join(source, 'artifacts'));
  await mkdir(join(source, 'checkpoints'));
  await writeFile(join(source, 'artifacts', 'abc'), 'large');
  await writeFile(join(source, 'own.json'), '{}');
  const forks: { turns: string[] }[] = [];
  opened.emitter.tap('chat.fork', async ({ from, to, turns }) => {
    forks.push({ turns: [...turns] });
    await copyFile(join(opened.chats.folder(from), 'own.json'), join(opened.chats.folder(to), 'own.json'));
  });
  const whole = await opened.chats.fork(chatId);
  const copy = await opened.chats.fork(chatId, first.turnId);
  expect(copy).toMatchObject({ workspaceMode: 'reuse', turns: 1, title: 'New chat (fork)', busy: false });
  expect(shapeOf((await opened.chats.transcript(copy.chatId)).entries)).toEqual([
    ['user', 'Question 1'],
    ['assistant', 'Hello there'],
  ]);
  expect((await opened.chats.transcript(whole.chatId)).entries).toHaveLength(4);
  expect((await readdir(opened.chats.folder(copy.chatId))).sort()).toEqual(['artifacts', 'meta.json', 'own.json', 'session.jsonl']);
  expect(forks.map(({ turns }) => turns.length)).toEqual([2, 1]);
  const ids = await Promise.all(
    [chatId, whole.chatId, copy.chatId].map(
      async (id) => (await readFile(join(opened.chats.folder(id), 'session.jsonl'), 'utf8')).match(/^\{"id":\d+/gm) ?? [],
    ),
  );
  expect(new Set(ids.flat()).size).toBe(ids.flat().length);
  for await (const event of opened.log.read(copy.chatId)) expect(event.chatId).toBe(copy.chatId);
  for (const turn of ['turn_01ARZ3NDEKTSV4RRFFQ69G5FAV', '../x']) {
    await expect(opened.chats.fork(chatId, turn)).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND', status: 404 });
  }
});
