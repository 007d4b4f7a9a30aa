// The routes of chats with real turns in them.
import { execFileSync } from 'node:child_process';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openApiCheck } from '../../helpers/api-check.ts';
import { openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../helpers/in-process.ts';

const model = useEach(() => startScriptedModel());
const harness = useEach(() => startHarness({ environment: model.environment }));
const api = useEach(() => openApiCheck(harness));

const body = async (method: string, path: string, sent?: unknown): Promise<any> => (await api.call(method, path, sent)).body;
const make = (wanted: object = { workspaceMode: 'scratch' }): Promise<any> => body('POST', '/api/chats', wanted);
const nowhere = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('a chat is made in a folder of its own, in a given one, or in that of another chat', async () => {
  execFileSync('git', ['init', '-q', harness.workspace]);
  execFileSync('git', ['-C', harness.workspace, 'remote', 'add', 'origin', 'git@Git.Example.org:Owner/repo.git']);
  const folder = await make({ workspaceMode: 'folder', workspaceRoot: harness.workspace });
  expect(folder).toMatchObject({
    title: 'New chat',
    workspaceRoot: harness.workspace,
    workspaceFingerprint: 'git:git.example.org/Owner/repo',
    busy: false,
    turns: 0,
  });
  const scratch = await make();
  expect(scratch.workspaceRoot).toBe(join(harness.home, 'chats', scratch.chatId, 'workspace'));
  expect(scratch.workspaceFingerprint).toBe(`path:${scratch.workspaceRoot}`);
  const reuse = await make({ workspaceMode: 'reuse', workspaceRoot: scratch.workspaceRoot, title: ' My  chat\n', activate: false });
  expect(reuse).toMatchObject({ title: 'My chat', workspaceMode: 'reuse', workspaceRoot: scratch.workspaceRoot });
  expect(await body('GET', '/api/chats')).toMatchObject({ activeChatId: scratch.chatId, orphanIds: [] });
  for (const wrong of [
    { workspaceMode: 'folder' },
    { workspaceMode: 'reuse' },
    { workspaceMode: 'folder', workspaceRoot: 'relative' },
    { workspaceMode: 'folder', workspaceRoot: '/no/such/folder' },
    { workspaceMode: 'reuse', workspaceRoot: '/' },
    { workspaceMode: 'elsewhere' },
  ])
    expect(await api.call('POST', '/api/chats', wrong)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  expect((await body('GET', '/api/chats')).chats).toHaveLength(3);
});

test('a chat is exported and comes in again; folders are listed', async () => {
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

test('what is not there is not found, whatever is asked of it', async () => {
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

test('followers hear of every change, and follow the active chat', async () => {
  const first = await make();
  const stream = await openEventStream(harness);
  const second = await make({ workspaceMode: 'scratch', title: 'Other' });
  expect(await stream.until('chat_switched')).toMatchObject({ chatId: second.chatId, activeChatId: second.chatId });
  await body('PATCH', `/api/chats/${first.chatId}`, { title: 'Renamed' });
  await body('POST', `/api/chats/${first.chatId}/activate`, {});
  await body('DELETE', `/api/chats/${second.chatId}`);
  await stream.until((event) => event['change'] === 'deleted');
  expect(stream.events.filter((event) => event.kind === 'chat_updated').map((event) => [event.chatId, event['change'], event['title']])).toEqual([
    [second.chatId, 'created', 'Other'],
    [first.chatId, 'renamed', 'Renamed'],
    [second.chatId, 'deleted', undefined],
  ]);
});

test('a fork at a turn knows that turn and nothing later, and leaves its source alone', async () => {
  model.push({ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' });
  const first = await runTurn(harness, 'one');
  await runTurn(harness, 'two');
  const source = (await body('GET', '/api/chats')).chats[0];
  const fork = await body('POST', `/api/chats/${source.chatId}/fork`, { atTurn: first.turnId });
  expect(fork).toMatchObject({ title: 'one (fork)', turns: 1, workspaceMode: 'reuse', workspaceRoot: source.workspaceRoot, busy: false });
  expect((await body('GET', '/api/chats')).activeChatId).toBe(source.chatId);
  await runTurn(harness, 'other way', { chatId: fork.chatId });
  expect(model.requests[2]?.body.messages.slice(1).map((message: any) => message.content)).toEqual(['one', 'First.', 'other way']);
  const texts = async (chatId: string) => (await body('GET', `/api/chats/${chatId}/transcript`)).entries.map((entry: any) => entry.text);
  expect(await texts(fork.chatId)).toEqual(['one', 'First.', 'other way', 'Third.']);
  expect(await texts(source.chatId)).toEqual(['one', 'First.', 'two', 'Second.']);
  expect((await body('GET', `/api/chats/${fork.chatId}`)).turns).toBe(2);
});

test('a branch ends before a turn and says what it left; one more at the same place says the same, and what is left stays', async () => {
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

test('a transcript in pages, and the search that leads into it', async () => {
  model.push(
    { toolCalls: [{ name: 'list_dir', args: { path: '.' } }] },
    { text: ['The needle', ' is here.'], reasoning: 'Hm.' },
    { text: 'Yes.', always: true },
  );
  await runTurn(harness, 'find the needle');
  for (let turn = 0; turn < 3; turn++) await runTurn(harness, `turn ${turn}`);
  const { chatId } = await body('GET', '/api/workspace/current');
  const all = (await body('GET', `/api/chats/${chatId}/transcript`)).entries;
  const kinds = all.map((entry: any) => entry.kind);
  expect(kinds).toEqual(['user', 'tool', 'assistant', ...['user', 'assistant', 'user', 'assistant', 'user', 'assistant']]);
  for (const entry of all) expect(entry).toMatchObject({ id: expect.any(String), turnId: expect.stringMatching(/^turn_/), at: expect.stringMatching(/Z$/) });
  expect(all[1]).toMatchObject({ name: 'list_dir', args: { path: '.' }, ok: true, output: expect.any(String), durationMs: expect.any(Number) });
  expect(all[2]).toMatchObject({ text: 'The needle is here.', reasoning: 'Hm.' });

  const paged: any[] = [];
  for (let before: string | undefined; ;) {
    const page = await body('GET', `/api/chats/${chatId}/transcript?limit=2${before === undefined ? '' : `&before=${before}`}`);
    paged.unshift(...page.entries);
    if (page.cursor === undefined) break;
    before = page.cursor;
  }
  expect(paged).toEqual(all);

  const { hits } = await body('GET', '/api/chats/search?q=NEEDLE');
  expect(hits).toEqual([
    { chatId, entryId: all[2].id, at: all[2].at, excerpt: 'The needle is here.' },
    { chatId, entryId: all[0].id, at: all[0].at, excerpt: 'find the needle' },
  ]);
  expect((await body('GET', '/api/chats/search?q=needle&limit=1')).hits).toHaveLength(1);
  for (const query of ['', '?q=x&limit=0']) expect((await api.call('GET', `/api/chats/search${query}`)).status).toBe(400);
});
