// Tests failed writes: acknowledged changes are on disk, and failed changes are not in memory.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { emitTurn, openChats } from './open-chats.ts';
import { useEach } from '../../../helpers/use-opened.ts';

let chatId: string;
const opened = useEach(() => openChats());
beforeEach(async () => {
  ({ chatId } = await opened.chats.create({ title: 'Before' }));
});

const at = (...parts: string[]): string => join(opened.home, ...parts);
const refused = { code: 'STORAGE_ERR_UNWRITABLE', status: 503 };
const readJson = async (path: string): Promise<any> => JSON.parse(await readFile(path, 'utf8'));

/** Replaces a file with a folder, so that writing it fails. Returns a function that restores it. */
async function block(path: string): Promise<() => Promise<void>> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  await rm(path, { force: true });
  await mkdir(path);
  return async () => {
    await rm(path, { recursive: true });
    if (text !== undefined) await writeFile(path, text);
  };
}

test('a title that cannot be written is not shown', async () => {
  const { chats } = opened;
  const mend = await block(at('chats', chatId, 'meta.json'));
  await expect(chats.change(chatId, { title: 'After' })).rejects.toMatchObject({ ...refused, message: expect.stringContaining('it is a folder') });
  expect((await chats.get(chatId)).title).toBe('Before');
  expect((await chats.list()).chats.map(({ title }) => title)).toEqual(['Before']);
  await mend();
  await chats.change(chatId, { model: 'm' });
  expect(await readJson(at('chats', chatId, 'meta.json'))).toMatchObject({ title: 'Before', model: 'm' });
});

test('concurrent changes by a turn and a rename are both written', async () => {
  const { chats } = opened;
  await Promise.all([chats.change(chatId, { title: 'One' }), chats.touch(chatId, { turns: 7 }), chats.change(chatId, { model: 'm' })]);
  expect(await chats.get(chatId)).toMatchObject({ title: 'One', model: 'm', turns: 7 });
  await opened.kernel.close();
  expect(await readJson(at('chats', chatId, 'meta.json'))).toMatchObject({ title: 'One', model: 'm', turns: 7 });
});

test('a turn count survives a failed rename and is written later', async () => {
  const { chats } = opened;
  const mend = await block(at('chats', chatId, 'meta.json'));
  const changing = chats.change(chatId, { title: 'After' }).catch((fault: unknown) => fault);
  await chats.touch(chatId, { turns: 7 });
  expect(await changing).toMatchObject(refused);
  expect(await chats.get(chatId)).toMatchObject({ title: 'Before', turns: 7 });
  await mend();
  await opened.kernel.close();
  expect(await readJson(at('chats', chatId, 'meta.json'))).toMatchObject({ title: 'Before', turns: 7 });
});

test('a chat does not become active if that cannot be written', async () => {
  const { chats } = opened;
  const other = await chats.create({ activate: false });
  const mend = await block(at('active_chat.json'));
  await expect(chats.activate(other.chatId)).rejects.toMatchObject(refused);
  expect(chats.activeId).toBe(chatId);
  expect((await chats.list()).activeChatId).toBe(chatId);
  await mend();
  const asked = [other.chatId, chatId, other.chatId].map((id) => chats.activate(id));
  await Promise.all(asked);
  expect(chats.activeId).toBe(other.chatId);
  expect(await readJson(at('active_chat.json'))).toEqual({ chatId: other.chatId });
});

test('the active chat can be deleted even if its successor cannot be written', async () => {
  const { chats } = opened;
  const other = await chats.create({ activate: false });
  await block(at('active_chat.json'));
  expect(await chats.remove(chatId)).toEqual({ newActiveId: other.chatId });
  expect((await chats.get()).chatId).toBe(other.chatId);
});

test('a chat that cannot move to the trash is unchanged', async () => {
  const { chats } = opened;
  emitTurn(opened, chatId, 1);
  await opened.log.flushed(chatId);
  const trash = at('chats', '.trash');
  await writeFile(trash, '');
  await expect(chats.remove(chatId)).rejects.toMatchObject(refused);
  expect(await chats.get(chatId)).toMatchObject({ title: 'Before' });
  expect((await chats.list()).orphanIds).toEqual([]);
  expect((await chats.transcript(chatId)).entries).toHaveLength(2);
  await rm(trash);
  await chats.remove(chatId);
  expect((await chats.list()).chats).toEqual([]);
});

test('a failed chat creation leaves nothing behind', async () => {
  const { chats } = opened;
  const mend = await block(at('active_chat.json'));
  await expect(chats.create({ title: 'Never' })).rejects.toMatchObject(refused);
  expect(await chats.list()).toMatchObject({ chats: [{ chatId }], orphanIds: [], activeChatId: chatId });
  await mend();
  const makeId = opened.kernel.resolve('storage').createId;
  const path = (id: string): string => at('chats', id);
  const wanted = makeId('chat');
  Object.assign(opened.kernel.resolve('storage'), { createId: () => wanted });
  await mkdir(join(path(wanted), 'meta.json'), { recursive: true });
  await expect(chats.create({ workspaceMode: 'scratch' })).rejects.toMatchObject(refused);
  expect(await chats.list()).toMatchObject({ chats: [{ chatId }], orphanIds: [], activeChatId: chatId });
});

test('the first chat is created after the disk accepts writes again', async () => {
  const { chats } = opened;
  await chats.remove(chatId);
  const { chatId: planned } = await chats.peek();
  const mend = await block(at('active_chat.json'));
  await expect(chats.get()).rejects.toMatchObject(refused);
  await expect(chats.get(planned)).rejects.toMatchObject(refused);
  expect((await chats.list()).chats).toEqual([]);
  await mend();
  expect((await chats.get()).chatId).toBe(planned);
  expect(await readJson(at('active_chat.json'))).toEqual({ chatId: planned });
});
