// A budget outlives the death of the server in the middle of a call.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedModel } from '../../helpers/scripted-model.ts';
import { startServerProcess } from '../../helpers/server-process.ts';

test('what calls cost, and what was held when the server was killed, counts after its next start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'budget-kill-'));
  const model = await startScriptedModel([
    { text: 'fine', usage: { input: 10, output: 5, cost: 0.03 } },
    { text: ['One', 'two'], stallAfter: 1 },
  ]);
  model.listModels(() => ({ body: { data: [{ id: 'scripted', pricing: { prompt: '0', completion: '0.0001' } }] } }));
  const environment = { ...model.environment, AGENT_BUDGET_USD_PER_DAY: '0.2', AGENT_MAX_COMPLETION_TOKENS: '1600' };
  const options = { home: join(folder, 'home'), workspace: folder, environment };
  const dayOf = async (server: { call: typeof first.call }): Promise<any> =>
    (await server.call('GET', '/api/usage')).body.caps.find(({ name }: { name: string }) => name === 'day');
  let first = await startServerProcess(options);
  try {
    await first.call('POST', '/api/message', { text: 'Hello.' });
    await expect.poll(async () => (await dayOf(first)).spent).toBeCloseTo(0.03, 9);
    await first.call('POST', '/api/message', { text: 'And now?' });
    await model.request(1);
    expect(await dayOf(first)).toMatchObject({ spent: 0.03, held: expect.closeTo(0.16, 9) });
    await first.stop('SIGKILL');
    first = await startServerProcess(options);
    expect(await dayOf(first)).toMatchObject({ spent: expect.closeTo(0.19, 9), held: 0, left: expect.closeTo(0.01, 9) });
    await first.call('POST', '/api/message', { text: 'Go on.' });
    await expect
      .poll(async () => JSON.stringify((await first.call('GET', `/api/chats/${await chatOf(first)}/transcript`)).body))
      .toContain('AGENT_BUDGET_USD_PER_DAY');
    expect(model.requests).toHaveLength(2);
  } finally {
    await first.stop('SIGKILL');
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function chatOf(server: { call(method: string, path: string): Promise<{ body: any }> }): Promise<string> {
  return (await server.call('GET', '/api/status')).body.activeChatId;
}
