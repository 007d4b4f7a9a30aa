// Tests deletion of a chat during its turn: nothing written at the end of the turn recreates its folder.
import { mkdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openEventStream, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';

test('leaves no chat folder behind when a chat is deleted during its turn', async () => {
  const model = await startScriptedModel(() => ({ text: 'x', stallAfter: 1 }));
  const harness = await startHarness({ environment: model.environment });
  onTestFinished(async () => {
    await harness.close();
    await model.close();
  });
  await mkdir(harness.workspace, { recursive: true });
  const stream = await openEventStream(harness, { chatId: 'all' });
  onTestFinished(() => stream.close());
  for (let round = 0; round < 12; round++) {
    const { chatId } = (await harness.call('POST', '/api/chats', {})).body;
    await harness.call('POST', '/api/message', { chatId, text: 'go' });
    await stream.until((event) => event.kind === 'text' && event['chatId'] === chatId);
    expect((await harness.call('DELETE', `/api/chats/${chatId}`)).status).toBe(200);
  }
  expect((await harness.call('GET', '/api/chats')).body).toMatchObject({ chats: [], orphanIds: [] });
});
