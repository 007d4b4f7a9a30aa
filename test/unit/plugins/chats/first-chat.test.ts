import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, openEventStream, startHarness } from '../../../helpers/in-process.ts';

let harness: Harness | undefined;

const chatFolders = async (): Promise<string[]> => readdir(join(harness?.home ?? '', 'chats')).catch(() => []);

test('read requests create no chat, and the first chat has the id shown before', async () => {
  harness = await startHarness();
  const current = (await harness.call('GET', '/api/workspace/current')).body;
  expect(current).toMatchObject({ chatId: expect.stringMatching(/^chat_/), workspaceRoot: await realpath(harness.workspace) });
  const stream = await openEventStream(harness);
  for (const path of [
    ...['/api/workspace/current', '/api/workspace/trust', '/api/memory', '/api/tools', '/api/pending', '/api/status', '/api/config', '/api/changes'],
  ])
    expect((await harness.call('GET', path)).status, path).toBeLessThan(500);
  expect((await harness.call('GET', `/api/artifacts/${'a'.repeat(64)}`)).status).toBe(404);
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ chats: [], activeChatId: null });
  expect(await chatFolders()).toEqual([]);
  expect((await harness.call('GET', '/api/workspace/current')).body).toEqual(current);

  const sent = await harness.call('POST', '/api/message', { text: '/help' });
  expect(sent.body.chatId).toBe(current.chatId);
  await stream.until((event) => event.kind === 'turn_end' && event['turnId'] === sent.body.turnId);
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ chats: [{ chatId: current.chatId }], activeChatId: current.chatId });
});

test('the announced chat id stays usable after another chat is created', async () => {
  harness = await startHarness();
  const { chatId } = (await harness.call('GET', '/api/workspace/current')).body;
  const made = (await harness.call('POST', '/api/chats', {})).body;
  expect(made.chatId).not.toBe(chatId);
  expect((await harness.call('POST', '/api/message', { chatId, text: '/help' })).body.chatId).toBe(chatId);
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ activeChatId: made.chatId });
  expect((await harness.call('GET', '/api/chats')).body.chats.map((one: any) => one.chatId).sort()).toEqual([chatId, made.chatId].sort());
});

test('concurrent peek and get return the same first chat', async () => {
  harness = await startHarness();
  const chats = harness.kernel.resolve('chats');
  for (let moment = 0; moment < 30; moment++) {
    const made = chats.get();
    for (let pass = 0; pass < moment; pass++) await Promise.resolve();
    const looked = await chats.peek();
    expect((await chats.activate(looked.chatId)).chatId).toBe((await made).chatId);
    expect((await chats.list()).chats).toHaveLength(1);
    await chats.remove(looked.chatId);
  }
});
