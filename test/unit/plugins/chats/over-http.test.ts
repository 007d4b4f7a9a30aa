import { mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTurn } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(async () => {
  expect(await harness.close()).toEqual([]);
});

const unknown = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const metaKeys = [
  'archived',
  'busy',
  'chatId',
  'createdAt',
  'mode',
  'pinned',
  'tags',
  'title',
  'turns',
  'updatedAt',
  'workspaceFingerprint',
  'workspaceMode',
  'workspaceRoot',
];

test('a chat is made, found, renamed, switched to and deleted', async () => {
  const before = await harness.call('GET', '/api/chats');
  expect(before).toMatchObject({ status: 200, body: { chats: [], orphanIds: [], activeChatId: null, residentChatIds: [] } });
  const folder = join(harness.workspace, 'project');
  await mkdir(folder);
  const made = await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: folder, title: 'One' });
  expect(made.status).toBe(201);
  expect(Object.keys(made.body).sort()).toEqual(metaKeys);
  const { chatId } = made.body;
  const second = await harness.call('POST', '/api/chats', { workspaceMode: 'reuse', workspaceRoot: folder, activate: false });
  expect(second).toMatchObject({ status: 201, body: { workspaceRoot: made.body.workspaceRoot } });
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ activeChatId: chatId, chats: [{ chatId: second.body.chatId }, { chatId }] });
  expect((await harness.call('PATCH', `/api/chats/${chatId}`, { title: 'Two' })).body.title).toBe('Two');
  expect((await harness.call('GET', `/api/chats/${chatId}`)).body.title).toBe('Two');
  expect((await harness.call('POST', `/api/chats/${second.body.chatId}/activate`, {})).status).toBe(200);
  const current = await harness.call('GET', '/api/workspace/current');
  const root = await realpath(folder);
  expect(current.body).toEqual({ chatId: second.body.chatId, workspaceRoot: root, workspaceFingerprint: `path:${root}`, basename: basename(root) });
  expect((await harness.call('GET', `/api/workspace/current?chatId=${chatId}`)).body.chatId).toBe(chatId);
  expect((await harness.call('GET', '/api/config')).body.activeChat).toMatchObject({ chatId: second.body.chatId, workspaceRoot: root });
  expect((await harness.call('DELETE', `/api/chats/${second.body.chatId}`)).body).toEqual({ ok: true, newActiveId: chatId });
  expect((await harness.call('GET', `/api/chats/${second.body.chatId}`)).status).toBe(404);
});

test('what a turn said is in the transcript, in the search and in a fork', async () => {
  const { turnId, events } = await runTurn(harness, 'Please say hello');
  const chatId = String(events[0]?.chatId);
  const page = await harness.call('GET', `/api/chats/${chatId}/transcript?limit=10`);
  expect(page.status).toBe(200);
  expect(page.body.entries.slice(0, 2)).toMatchObject([
    { kind: 'user', turnId, text: 'Please say hello', attachments: [] },
    { kind: 'assistant', turnId, text: expect.stringMatching(/./) },
  ]);
  const found = await harness.call('GET', '/api/chats/search?q=SAY%20HELLO&limit=5');
  expect(found.body.hits[0]).toMatchObject({ chatId, entryId: page.body.entries[0].id, excerpt: expect.stringContaining('say hello') });
  const fork = await harness.call('POST', `/api/chats/${chatId}/fork`, { atTurn: turnId });
  expect(fork).toMatchObject({ status: 201, body: { workspaceMode: 'reuse', turns: 1 } });
  expect((await harness.call('GET', `/api/chats/${fork.body.chatId}/transcript`)).body.entries).toHaveLength(page.body.entries.length);
  const meta = (await harness.call('GET', `/api/chats/${chatId}`)).body;
  expect(meta).toMatchObject({ turns: 1, busy: false });
});

test('a branch ends before a turn and says what it left; one more at the same place says the same, and what is left stays', async () => {
  await harness.call('POST', '/api/chats', {});
  const first = await runTurn(harness, 'Please say hello');
  const chatId = String(first.events[0]?.chatId);
  const second = await runTurn(harness, 'And goodbye');
  const branchOf = async (id: string, beforeTurn: string) => (await harness.call('POST', `/api/chats/${id}/fork`, { beforeTurn })).body;
  const { title } = (await harness.call('GET', `/api/chats/${chatId}`)).body;
  const branch = await branchOf(chatId, second.turnId);
  expect(branch).toMatchObject({ title, turns: 1, branch: { chatId, turnId: second.turnId, after: first.turnId } });
  const { entries } = (await harness.call('GET', `/api/chats/${branch.chatId}/transcript`)).body;
  expect(entries.map(({ turnId }: any) => turnId)).not.toContain(second.turnId);
  await harness.call('POST', `/api/chats/${branch.chatId}/activate`, {});
  const other = await runTurn(harness, 'And another goodbye');
  expect((await branchOf(branch.chatId, other.turnId)).branch).toEqual(branch.branch);
  expect(await branchOf(branch.chatId, first.turnId)).toMatchObject({ turns: 0, branch: { chatId: branch.chatId, turnId: first.turnId } });
  expect((await harness.call('GET', `/api/chats/${chatId}/transcript`)).body.entries.some(({ turnId }: any) => turnId === second.turnId)).toBe(true);
  expect((await harness.call('POST', `/api/chats/${chatId}/fork`, { beforeTurn: other.turnId })).status).toBe(404);
});

test.each([
  ['GET', `/api/chats/${unknown}`, undefined, 404, 'not_found'],
  ['GET', '/api/chats/..%2F..%2Fetc', undefined, 404, 'not_found'],
  ['DELETE', `/api/chats/${unknown}`, undefined, 404, 'not_found'],
  ['POST', `/api/chats/${unknown}/activate`, {}, 404, 'not_found'],
  ['POST', `/api/chats/${unknown}/fork`, {}, 404, 'not_found'],
  ['GET', `/api/chats/${unknown}/transcript`, undefined, 404, 'not_found'],
  ['PATCH', `/api/chats/${unknown}`, { title: 'x' }, 404, 'not_found'],
  ['PATCH', `/api/chats/${unknown}`, { title: 5 }, 400, 'invalid_request'],
  ['POST', '/api/chats', { workspaceMode: 'other' }, 400, 'invalid_request'],
  ['POST', '/api/chats', { workspaceMode: 'folder' }, 400, 'invalid_request'],
  ['POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: 'relative' }, 400, 'invalid_request'],
  ['POST', '/api/chats', { workspaceMode: 'reuse', workspaceRoot: '/' }, 400, 'invalid_request'],
  ['POST', '/api/chats', { color: 'red' }, 400, 'invalid_request'],
  ['GET', '/api/chats/search', undefined, 400, 'invalid_request'],
  ['GET', '/api/workspace/current?chatId=x', undefined, 404, 'not_found'],
] as const)('%s %s with %j is refused: %i %s', async (method, path, body, status, code) => {
  const reply = await harness.call(method, path, body);
  expect(reply).toMatchObject({ status, body: { error: { code } } });
});
