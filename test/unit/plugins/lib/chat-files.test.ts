import { writeWithChat } from '#lib/chat-files';
import { expect, test } from 'vitest';

const fails = (message: string) => () => Promise.reject(new Error(message));

test('where the chat is gone that is what is said, where it is there the fault of the disk', async () => {
  expect(await writeWithChat({ get: fails('gone') }, 'chat_1', () => Promise.resolve('kept'))).toBe('kept');
  await expect(writeWithChat({ get: fails('gone') }, 'chat_1', fails('full'))).rejects.toThrow('gone');
  await expect(writeWithChat({ get: () => Promise.resolve({}) }, 'chat_1', fails('full'))).rejects.toThrow('full');
});
