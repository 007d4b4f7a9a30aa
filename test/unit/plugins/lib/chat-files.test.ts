import { writeWithChat } from '#lib/chat-files';
import { expect, test } from 'vitest';

const fails = (message: string) => () => Promise.reject(new Error(message));

test('reports a missing chat if the chat is gone, and the disk fault otherwise', async () => {
  expect(await writeWithChat({ get: fails('gone') }, 'chat_1', () => Promise.resolve('kept'))).toBe('kept');
  await expect(writeWithChat({ get: fails('gone') }, 'chat_1', fails('full'))).rejects.toThrow('gone');
  await expect(writeWithChat({ get: () => Promise.resolve({}) }, 'chat_1', fails('full'))).rejects.toThrow('full');
});
