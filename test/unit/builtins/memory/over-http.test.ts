import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startMemory, type MemoryWorld } from './memory-world.ts';

let world: MemoryWorld;
const add = (key: string, value: string, more: object = {}) => world.call('POST', '/api/memory', { key, value, ...more });

test('adds, lists, searches, pages, changes, deletes and restores notes', async () => {
  world = await startMemory();
  const made = await add('editor', 'Helix on every machine');
  expect(made.status).toBe(201);
  expect(made.body.note).toMatchObject({
    id: 'fact:editor',
    type: 'fact',
    key: 'editor',
    scope: 'workspace',
    revision: 1,
    source: { kind: 'user' },
    links: [],
  });
  expect(made.body.note.seal).toBeUndefined();
  await add('shell', 'fish', { scope: 'global', type: 'entity' });
  await add('plan', 'ship on Friday', { scope: 'chat' });
  const all = await world.call('GET', '/api/memory');
  expect(all.body.total).toBe(3);
  expect(all.body.notes.map((note: any) => note.scope).sort()).toEqual(['chat', 'global', 'workspace']);
  expect((await world.call('GET', '/api/memory?limit=1&offset=2')).body).toMatchObject({ total: 3, notes: [{}] });
  expect((await world.call('GET', '/api/memory?scope=global')).body.notes.map((note: any) => note.id)).toEqual(['entity:shell']);
  expect((await world.call('GET', '/api/memory?q=machines')).body.notes.map((note: any) => note.id)).toEqual(['fact:editor']);
  expect((await world.call('GET', '/api/memory?q=Heli')).body.notes.map((note: any) => note.id)).toEqual(['fact:editor']);

  const change = { id: 'fact:editor', scope: 'workspace', value: 'Vim', revision: 1 };
  expect((await world.call('PUT', '/api/memory', change)).body.note).toMatchObject({ value: 'Vim', revision: 2, source: { kind: 'user' } });
  expect(await world.call('PUT', '/api/memory', change)).toMatchObject({ status: 409, body: { error: { code: 'revision_conflict' } } });
  expect((await world.call('POST', '/api/memory/forget', { id: 'fact:editor', scope: 'workspace' })).body.note.deletedAt).toBeDefined();
  expect((await world.call('GET', '/api/memory')).body.total).toBe(2);
  expect((await world.call('GET', '/api/memory?show=deleted')).body.notes.map((note: any) => note.id)).toEqual(['fact:editor']);
  expect((await world.call('POST', '/api/memory/restore', { id: 'fact:editor', scope: 'workspace' })).body.note).toMatchObject({ value: 'Vim' });
  expect(world.events.filter(({ kind }) => kind === 'memory_changed').map(({ payload }) => payload.change)).toEqual([
    ...['remembered', 'remembered', 'remembered', 'remembered', 'forgotten', 'restored'],
  ]);
});

test('a fork copies the notes of its chat, and each copy changes separately', async () => {
  world = await startMemory();
  await add('way', 'by train', { scope: 'chat' });
  const fork = (await world.call('POST', `/api/chats/${world.place.chatId}/fork`, {})).body;
  const noteIn = async (chatId: string): Promise<unknown> => (await world.call('GET', `/api/memory?scope=chat&chatId=${chatId}`)).body.notes[0]?.value;
  expect(await noteIn(fork.chatId)).toBe('by train');
  await world.call('PUT', '/api/memory', { id: 'fact:way', scope: 'chat', value: 'by bicycle', revision: 1, chatId: fork.chatId });
  expect([await noteIn(world.place.chatId), await noteIn(fork.chatId)]).toEqual(['by train', 'by bicycle']);
});

test.each([
  ['PUT', '/api/memory', { value: 'x', revision: 1 }],
  ['POST', '/api/memory/forget', {}],
  ['POST', '/api/memory/restore', {}],
  ['POST', '/api/memory/accept', { isAccepted: true }],
])('%s %s returns not_found for an unknown note', async (method, path, more) => {
  world = await startMemory();
  const { status, body } = await world.call(method, path, { id: 'fact:none', scope: 'workspace', ...more });
  expect([status, body.error.code]).toEqual([404, 'not_found']);
});

test('rejects unknown fields, long values, invalid keys and unknown chats', async () => {
  world = await startMemory();
  expect((await add('a', 'x', { color: 'red' })).status).toBe(400);
  expect((await add('a', 'x'.repeat(20_001))).status).toBe(400);
  expect((await add('k'.repeat(201), 'x')).status).toBe(400);
  expect((await add('a\u0007b', 'x')).body.error.code).toBe('invalid_note');
  expect((await add('a', 'x', { type: 'No' })).body.error.code).toBe('invalid_note');
  expect((await add('a', 'x', { chatId: '../../etc' })).status).toBe(404);
  expect((await add('k'.repeat(200), 'v'.repeat(20_000))).status).toBe(201);
});

test('quarantines an invalid note file with an error event, and rejects new notes in a full file', async () => {
  world = await startMemory();
  await writeFile(world.workspaceFile, '[1, 2, 3]\n');
  expect((await add('a', 'x')).status).toBe(201);
  await expect.poll(() => world.events.find(({ kind }) => kind === 'error')?.payload.code).toBe('STORAGE_ERR_CORRUPT');
  const entries = Array.from({ length: 200_000 }, (_, at) => `"fact:n${at}":{"value":"v"}`);
  await writeFile(world.workspaceFile, `{\n${entries.join(',\n')}\n}\n`);
  expect((await add('one-more', 'x', {})).body.error.code).toBe('full');
  expect((await add('n7', 'a new value')).status).toBe(201);
});

test('/memory shows the number of notes and the pending notes', async () => {
  world = await startMemory();
  await add('a', 'x');
  await world.notes.remember(world.place, { type: 'fact', key: 'w', value: 'from a page', source: { kind: 'web', ref: 'https://x.example' } });
  const text = await world.harness.kernel.resolve('commands').runSlash('memory', { ...world.place, args: '' });
  expect(text).toContain('0 chat, 1 workspace, 0 global');
  expect(text).toContain('fact:w (workspace): from a page');
});

test('a pinned note stays pinned after another value is accepted', async () => {
  world = await startMemory();
  await add('build', 'The build runs on Jenkins.');
  await world.call('POST', '/api/memory/pin', { id: 'fact:build', scope: 'workspace', isPinned: true });
  const waiting = await world.notes.remember(world.place, { type: 'fact', key: 'build', value: 'The build runs on Gitea.', source: { kind: 'web', ref: '' } });
  await world.call('POST', '/api/memory/accept', { id: waiting.id, scope: 'workspace', isAccepted: true });
  expect((await world.call('GET', '/api/memory')).body.notes).toMatchObject([{ id: 'fact:build', value: 'The build runs on Gitea.', isPinned: true }]);
});
