import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emitTurn, openChats, type OpenedChats } from './open-chats.ts';

let opened: OpenedChats;
const rejections: unknown[] = [];
const onRejection = (fault: unknown): void => void rejections.push(fault);
beforeEach(async () => {
  process.on('unhandledRejection', onRejection);
  opened = await openChats();
});
afterEach(async () => {
  expect(await opened.close()).toEqual([]);
  await new Promise(setImmediate);
  process.removeListener('unhandledRejection', onRejection);
  expect(rejections.splice(0)).toEqual([]);
});

test('a further chat can be written to when more chats are busy than stay resident', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 30; at++) ids.push((await opened.chats.create({ activate: false })).chatId);
  const start = { turnId: 'turn_1', messageId: 'msg_1' };
  for (const chatId of ids) opened.emit('turn_start', { ...start, chatId, model: 'm' });
  await Promise.all(ids.map((chatId) => opened.log.flushed(chatId)));
  const { chatId } = await opened.chats.create();
  for (let at = 0; at < 50; at++) {
    opened.emit('message_accepted', { ...start, chatId, text: String(at), attachments: [] });
    await opened.log.flushed(chatId);
    expect((await opened.chats.list()).residentChatIds).toContain(chatId);
  }
  const texts: unknown[] = [];
  for await (const event of opened.log.read(chatId)) if (event.kind === 'message_accepted') texts.push(event['text']);
  expect(texts).toEqual(Array.from({ length: 50 }, (_, at) => String(at)));
  expect(opened.errors).toEqual([]);
});

test('deleting two chats concurrently leaves an existing active chat', async () => {
  const [kept, one, two] = [await opened.chats.create(), await opened.chats.create(), await opened.chats.create()];
  await Promise.all([opened.chats.remove(one.chatId), opened.chats.remove(two.chatId)]);
  expect((await opened.chats.active()).chatId).toBe(kept.chatId);
  expect((await opened.chats.get()).chatId).toBe(kept.chatId);
  const again = opened.chats.remove(kept.chatId);
  await expect(opened.chats.remove(kept.chatId)).rejects.toMatchObject({ code: 'CHATS_ERR_NOT_FOUND' });
  expect(await again).toEqual({ newActiveId: null });
  expect((await opened.chats.active()).chatId).not.toBe(kept.chatId);
});

test('a chat is not found while it is being deleted', async () => {
  const { chatId } = await opened.chats.create();
  const found: unknown[] = [];
  opened.emitter.tap('chat.close', async () => void found.push(await opened.chats.get(chatId).catch((fault: { code: string }) => fault.code)));
  await opened.chats.remove(chatId);
  expect(found).toEqual(['CHATS_ERR_NOT_FOUND']);
});

test('a closed log does not reopen its journals', async () => {
  const { chatId } = await opened.chats.create();
  emitTurn(opened, chatId, 1);
  const { log } = opened;
  await log.flushed(chatId);
  const before = (await readdir('/proc/self/fd').catch(() => [])).length;
  await opened.close();
  await expect(log.flushed(chatId)).rejects.toMatchObject({ code: 'CHATS_ERR_JOURNAL_UNWRITABLE' });
  expect(await log.replay(chatId, 0)).toBeUndefined();
  expect((await readdir('/proc/self/fd').catch(() => [])).length).toBeLessThanOrEqual(before);
  opened = await openChats();
});
