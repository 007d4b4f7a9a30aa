// Tests the chat list with several pending requests.
import { expect, test } from 'vitest';
import { createChatList } from '../../../../builtins/clients/client/chat-list.ts';

interface Pending {
  reply(...chatIds: string[]): void;
  fail(): void;
}

function openList() {
  const pending: Pending[] = [];
  const call = (): Promise<unknown> =>
    new Promise((resolve, reject) =>
      pending.push({
        reply: (...chatIds) => resolve({ chats: chatIds.map((chatId) => ({ chatId })), activeChatId: null }),
        fail: () => reject(new Error('no connection')),
      }),
    );
  const list = createChatList(call as never, { request: (work) => work(), close: () => undefined });
  const shown = (): string[] => list.store.get().chats.map(({ chatId }) => chatId);
  const refreshed = (): Promise<string[]> => list.refresh().then(shown);
  return { pending, refreshed, shown };
}

test('a replaced refresh resolves only when the list contains the later reply', async () => {
  const { pending, refreshed, shown } = openList();
  const [first, second] = [refreshed(), refreshed()];
  pending[0]?.reply('new');
  await Promise.resolve();
  expect(shown()).toEqual([]);
  pending[1]?.reply('new', 'newer');
  for (const list of [await first, await second]) expect(list).toEqual(['new', 'newer']);
});

test('an earlier reply that arrives last is ignored', async () => {
  const { pending, refreshed } = openList();
  const [first, second] = [refreshed(), refreshed()];
  pending[1]?.reply('new');
  expect(await second).toEqual(['new']);
  pending[0]?.reply('old');
  expect(await first).toEqual(['new']);
});

test('the earlier reply is used when the later request fails', async () => {
  const { pending, refreshed } = openList();
  const [first, second] = [refreshed(), refreshed()];
  pending[0]?.reply('new');
  pending[1]?.fail();
  await expect(second).rejects.toThrow('no connection');
  expect(await first).toEqual(['new']);
});
