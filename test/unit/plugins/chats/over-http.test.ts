import { expect, test } from 'vitest';
import { runTurn, startHarness, useAll } from '../../../helpers/in-process.ts';

const harness = useAll(() => startHarness());

test('a branch ends before a turn and says what it left; one more at the same place says the same, and what is left stays', async () => {
  await harness.call('POST', '/api/chats', {});
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
