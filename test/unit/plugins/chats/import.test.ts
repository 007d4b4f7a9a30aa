// Tests the import of a conversation as a chat: the messages for the model and the handling of unreadable sources.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Chats, ImportedPart } from '../../../../plugins/chats/contract.ts';
import { useAgentBench, type AgentBench } from '../agent/agent-bench.ts';

const start = useAgentBench();
let bench: AgentBench;
let chats: Chats;
beforeEach(async () => {
  bench = await start();
  chats = bench.kernel.resolve('chats');
});

const at = '2026-01-02T03:04:05.000Z';
const parts: ImportedPart[] = [
  { kind: 'assistant', text: 'Where we were.', at },
  { kind: 'user', text: 'List the lamps.', at: '2026-01-02T03:05:00.000Z' },
  { kind: 'assistant', text: 'I look.', at: 'no time' },
  { kind: 'call', callId: 'a', name: 'Glob', args: { pattern: '*.lamp' } },
  { kind: 'call', callId: 'b', name: 'Read', args: 'text' },
  { kind: 'result', callId: 'b', ok: false, output: 'gone' },
  { kind: 'result', callId: 'a', ok: true, output: 'x'.repeat(60_000), at: '2026-01-02T03:05:09.000Z' },
  { kind: 'result', callId: 'never made', ok: true, output: '' },
  { kind: 'assistant', text: 'Two.' },
];

test('imports one turn per message, results as external content, and the time of the last event', async () => {
  const { chatId, turns, isNew } = await chats.import({ source: { from: 'elsewhere', id: '1' }, parts });
  expect({ turns, isNew }).toEqual({ turns: 2, isNew: true });
  expect(await chats.get(chatId)).toMatchObject({ title: 'List the lamps.', createdAt: at, updatedAt: '2026-01-02T03:05:09.000Z', workspaceMode: 'scratch' });
  const { entries } = await chats.transcript(chatId);
  expect(entries.filter(({ kind }) => kind === 'tool')).toEqual([
    expect.objectContaining({ name: 'Glob', state: 'ok', untrusted: true, durationMs: 9_000 }),
    expect.objectContaining({ name: 'Read', state: 'failed', args: { input: 'text' } }),
  ]);

  bench.model.push({ text: 'Three.' });
  const { body } = await bench.call('POST', '/api/message', { text: 'And now?', chatId });
  await bench.ended(body.turnId);
  const { messages } = bench.model.requests.at(-1)?.body ?? {};
  const said = messages
    .slice(messages.findIndex(({ role }: any) => role === 'user'))
    .map(({ role, content, tool_calls: calls }: any) => `${role} ${calls ? calls.length : ''}${String(content).slice(0, 30)}`);
  expect(said).toEqual([
    expect.stringMatching(/^user <system-note>/),
    'assistant Where we were.',
    'user List the lamps.',
    'assistant 2I look.',
    expect.stringMatching(/^tool The text between the markers/),
    expect.stringMatching(/^tool The text between the markers/),
    'assistant Two.',
    'user And now?',
  ]);
  expect(JSON.stringify(messages)).toContain('This chat came from elsewhere.');
});

test('a source is imported once, a fork drops the source, and a rebuilt chat retains it', async () => {
  const wanted = { source: { from: 'elsewhere', id: '2' }, parts };
  const [first, second] = await Promise.all([chats.import(wanted), chats.import(wanted)]);
  expect(second).toEqual({ chatId: first.chatId, isNew: false, isInTrash: false, turns: 0 });
  expect((await chats.fork(first.chatId)).imported).toBeUndefined();
  await chats.remove(first.chatId);
  expect(await chats.import(wanted)).toMatchObject({ chatId: first.chatId, isNew: false, isInTrash: true });
  expect([...(await chats.imported('elsewhere'))]).toEqual([['2', { chatId: first.chatId, isInTrash: true }]]);
  await chats.erase(first.chatId);
  expect(await chats.import(wanted)).toMatchObject({ isNew: true });
});

test('a failing or empty import leaves nothing behind', async () => {
  await chats.active();
  const before = await readdir(join(bench.home, 'chats'));
  async function* broken(): AsyncGenerator<ImportedPart> {
    yield* parts;
    await mkdir(bench.home, { recursive: true });
    throw new Error('the disk is gone');
  }
  await expect(chats.import({ source: { from: 'elsewhere', id: '3' }, parts: broken() })).rejects.toThrow('the disk is gone');
  await expect(chats.import({ source: { from: 'elsewhere', id: '4' }, parts: [] })).rejects.toThrow('nothing to import');
  expect(await readdir(join(bench.home, 'chats'))).toEqual(before);
});

test('a deleted temporary chat skips the trash', async () => {
  const { body } = await bench.call('POST', '/api/chats', { temporary: true, title: 'For now' });
  expect(body).toMatchObject({ temporary: true });
  await chats.remove(body.chatId);
  expect(await chats.trash()).toEqual([]);
  expect(await readdir(join(bench.home, 'chats'))).not.toContain(body.chatId);
});
