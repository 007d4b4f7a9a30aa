import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTurn } from '../../../helpers/event-stream.ts';
import { startHarness } from '../../../helpers/harness.ts';
import { startScriptedModel } from '../../../helpers/scripted-model.ts';

test('AGENT_BUDGET_USD_PER_DAY ends turns once the calls of the day cost as much, what an earlier start spent included', async () => {
  const model = await startScriptedModel(() => ({ text: 'fine', usage: { input: 10, output: 5, cost: 0.4 } }));
  const environment = { ...model.environment, AGENT_BUDGET_USD_PER_DAY: '1' };
  const harness = await startHarness({ builtins: ['model-chat-completions'], environment });
  try {
    const today = new Date().toISOString();
    const row = (at: string, cost: number): string => `${JSON.stringify({ at, model: 'm', purpose: 'chat', input: 1, output: 1, cached: 0, cost })}\n`;
    await writeFile(join(harness.home, 'usage.jsonl'), row('2020-01-01T00:00:00.000Z', 50) + row(today, 0.3));
    for (let turn = 0; turn < 2; turn++) expect((await runTurn(harness, 'Hello.')).end).toMatchObject({ reason: 'done' });
    const { end } = await runTurn(harness, 'Hello.');
    expect(end).toMatchObject({
      reason: 'budget',
      error: { code: 'day_budget', message: expect.stringMatching(/cost 1\.10 USD, and AGENT_BUDGET_USD_PER_DAY allows 1/) },
    });
    expect(model.requests).toHaveLength(2);
  } finally {
    await harness.close();
    await model.close();
  }
});

test('without a budget nothing is counted', async () => {
  const model = await startScriptedModel(() => ({ text: 'fine', usage: { input: 10, output: 5, cost: 900 } }));
  const harness = await startHarness({ builtins: ['model-chat-completions'], environment: model.environment });
  try {
    for (let turn = 0; turn < 2; turn++) expect((await runTurn(harness, 'Hello.')).end).toMatchObject({ reason: 'done' });
  } finally {
    await harness.close();
    await model.close();
  }
});
