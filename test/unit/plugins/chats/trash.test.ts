import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, openEventStream, runTurn, startHarness, useEach } from '../../../helpers/in-process.ts';

const harness = useEach(() => startHarness({ builtins: ['model-demo', 'plan', 'checkpoints'] }));

const call = async (method: string, path: string, body?: object): Promise<any> => (await harness.call(method, path, body)).body;
const trashed = async (): Promise<any[]> => (await call('GET', '/api/chats/trash')).chats;
const ids = async (): Promise<string[]> => (await call('GET', '/api/chats')).chats.map((chat: any) => chat.chatId);
const unknown = 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test('a deleted chat is listed in the trash, and restoring it brings back its data', async () => {
  expect(await trashed()).toEqual([]);
  const { events } = await runTurn(harness, 'Say hello');
  const chatId = String(events[0]?.chatId);
  await call('PATCH', `/api/chats/${chatId}`, { title: 'Old', tags: ['x'], pinned: true });
  const before = await call('GET', `/api/chats/${chatId}/transcript`);
  await call('DELETE', `/api/chats/${chatId}`);
  expect(await trashed()).toMatchObject([{ chatId, title: 'Old', turns: 1, daysLeft: 30, deletedAt: expect.stringMatching(/Z$/) }]);
  const stream = await openEventStream(harness, { chatId: 'all' });
  expect(await call('POST', `/api/chats/trash/${chatId}/restore`, {})).toMatchObject({ chatId, title: 'Old', tags: ['x'], pinned: true, turns: 1 });
  expect(await stream.until((event) => event['change'] === 'restored')).toMatchObject({ chatId, title: 'Old' });
  stream.close();
  expect(await trashed()).toEqual([]);
  expect(await ids()).toEqual([chatId]);
  expect(await call('GET', `/api/chats/${chatId}/transcript`)).toMatchObject({ entries: before.entries });
  await call('POST', `/api/chats/${chatId}/activate`, {});
  const again = await runTurn(harness, 'Say hello again');
  expect(again.end).toMatchObject({ chatId, reason: 'done' });
  await call('DELETE', `/api/chats/${chatId}`);
  expect(await call('POST', `/api/chats/trash/${chatId}/restore`, {})).toMatchObject({ turns: 2 });
});

test('a restored chat gets back its workspace that stayed for another chat', async () => {
  const one = await call('POST', '/api/chats', { workspaceMode: 'scratch', title: 'One' });
  await writeFile(join(one.workspaceRoot, 'a.txt'), 'a');
  const two = await call('POST', '/api/chats', { workspaceMode: 'reuse', workspaceRoot: one.workspaceRoot });
  await call('DELETE', `/api/chats/${one.chatId}`);
  await call('POST', `/api/chats/trash/${one.chatId}/restore`, {});
  expect((await ids()).sort()).toEqual([one.chatId, two.chatId].sort());
  expect(await readFile(join(one.workspaceRoot, 'a.txt'), 'utf8')).toBe('a');
  expect(await readdir(join(harness.home, 'chats', '.trash'))).not.toContain(one.chatId);
});

test('restoring preserves a recreated workspace and places the old one next to it', async () => {
  const { chatId, workspaceRoot } = await call('POST', '/api/chats', { workspaceMode: 'scratch', title: 'One' });
  await writeFile(join(workspaceRoot, 'a.txt'), 'old');
  await call('DELETE', `/api/chats/${chatId}`);
  await mkdir(workspaceRoot, { recursive: true });
  await writeFile(join(workspaceRoot, 'a.txt'), 'new');
  expect(await harness.call('POST', `/api/chats/trash/${chatId}/restore`, {})).toMatchObject({ status: 200, body: { title: 'One' } });
  expect(await readFile(join(workspaceRoot, 'a.txt'), 'utf8')).toBe('new');
  const folder = join(harness.home, 'chats', chatId);
  const beside = (await readdir(folder)).filter((name) => name.startsWith('workspace.from-trash'));
  expect(await Promise.all(beside.map((name) => readFile(join(folder, name, 'a.txt'), 'utf8')))).toEqual(['old']);
});

test('of concurrent restore and erase requests one succeeds and the others return 404', async () => {
  for (let round = 0; round < 5; round++) {
    const { chatId, workspaceRoot } = await call('POST', '/api/chats', { workspaceMode: 'scratch', title: 'One' });
    await call('DELETE', `/api/chats/${chatId}`);
    await mkdir(workspaceRoot, { recursive: true });
    const restore = (): ReturnType<Harness['call']> => harness.call('POST', `/api/chats/trash/${chatId}/restore`, {});
    const replies = await Promise.all([restore(), restore(), harness.call('DELETE', `/api/chats/trash/${chatId}`), restore()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  }
});

test('erasing a chat is permanent and affects no other chat', async () => {
  const one = await call('POST', '/api/chats', { title: 'One' });
  const two = await call('POST', '/api/chats', { title: 'Two' });
  await call('DELETE', `/api/chats/${one.chatId}`);
  await call('DELETE', `/api/chats/${two.chatId}`);
  expect((await trashed()).map((chat) => chat.title).sort()).toEqual(['One', 'Two']);
  expect(await call('DELETE', `/api/chats/trash/${one.chatId}`)).toEqual({ ok: true });
  expect((await trashed()).map((chat) => chat.title)).toEqual(['Two']);
  expect(await harness.call('POST', `/api/chats/trash/${one.chatId}/restore`, {})).toMatchObject({ status: 404 });
});

test('trash folders without a chat are ignored, and the rest is still listed', async () => {
  const { chatId } = await call('POST', '/api/chats', { title: 'One' });
  await call('DELETE', `/api/chats/${chatId}`);
  const trash = join(harness.home, 'chats', '.trash');
  await mkdir(join(trash, unknown));
  await writeFile(join(trash, 'ages.json'), 'nonsense');
  expect((await trashed()).map((chat) => chat.chatId)).toEqual([chatId]);
  expect(await harness.call('POST', `/api/chats/trash/${unknown}/restore`, {})).toMatchObject({ status: 404 });
  await rm(join(trash, unknown), { recursive: true });
});

test('restoring or erasing a chat that is not in the trash returns 404', async () => {
  const { chatId } = await call('POST', '/api/chats', {});
  for (const id of [chatId, unknown, '..%2F..%2Fx']) {
    expect(await harness.call('POST', `/api/chats/trash/${id}/restore`, {})).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(await harness.call('DELETE', `/api/chats/trash/${id}`)).toMatchObject({ status: 404 });
  }
  expect(await ids()).toEqual([chatId]);
});
