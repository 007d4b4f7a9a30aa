// Tests the chat routes with real turns.
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiCheck } from '../../helpers/api-check.ts';
import { runTurn, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel());
const harness = useEach(() => startHarness({ environment: model.environment }));
const api = useEach(() => openApiCheck(harness));

const body = async (method: string, path: string, sent?: unknown): Promise<any> => (await api.call(method, path, sent)).body;
const make = (wanted: object = { workspaceMode: 'scratch' }): Promise<any> => body('POST', '/api/chats', wanted);
const nowhere = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('exports and imports a chat, and lists folders', async () => {
  const { chatId } = await make();
  await runTurn(harness, 'Hello', { chatId });
  const file = await body('GET', `/api/chats/${chatId}/export?format=json`);
  expect(file).toMatchObject({ format: 'agent-chat', chat: { chatId } });
  expect(await api.call('POST', '/api/chats/import', file)).toMatchObject({ status: 201, body: { isNew: true, turns: 1 } });
  await mkdir(join(harness.workspace, 'quay'));
  await mkdir(join(harness.workspace, '.hidden'));
  const path = await realpath(harness.workspace);
  expect(await body('GET', `/api/folders?path=${encodeURIComponent(path)}`)).toEqual({ path, parent: dirname(path), folders: ['quay'], isCut: false });
  expect(await api.call('GET', '/api/folders?path=nowhere')).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
});

test('every request for a missing chat or turn returns 404', async () => {
  for (const [method, path, sent] of [
    ['GET', ''],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', ''],
    ['POST', '/activate', {}],
    ['POST', '/fork', {}],
    ['GET', '/transcript'],
  ] as const)
    expect(await api.call(method, `/api/chats/${nowhere}${path}`, sent)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  const { chatId } = await make();
  for (const title of ['', '  ', 7]) expect((await api.call('PATCH', `/api/chats/${chatId}`, { title })).status).toBe(400);
  expect((await api.call('POST', `/api/chats/${chatId}/fork`, { atTurn: 'turn_01ARZ3NDEKTSV4RRFFQ69G5FAV' })).status).toBe(404);
  for (const query of ['before=x', 'limit=0', 'limit=many']) expect((await api.call('GET', `/api/chats/${chatId}/transcript?${query}`)).status).toBe(400);
});

test('a branch ends before a turn and records its origin, as does a second one, and the source stays unchanged', async () => {
  model.push({ text: 'Hello.', always: true });
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
