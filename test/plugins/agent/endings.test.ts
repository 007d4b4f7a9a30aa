import { expect, test } from 'vitest';
import { runTurn } from '../../helpers/event-stream.ts';
import { startHarness } from '../../helpers/harness.ts';
import { startScriptedModel } from '../../helpers/scripted-model.ts';

test('a turn that takes longer than its limit ends with the reason, and the chat is free again', async () => {
  const model = await startScriptedModel([{ text: ['so', ' slow'], stallAfter: 1 }, { text: 'quick' }]);
  const harness = await startHarness({ environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_SEND_TIMEOUT_MS: '300' } });
  const { end, stream } = await runTurn(harness, 'wait');
  expect(end).toMatchObject({ reason: 'round_limit', error: { code: 'turn_timeout', message: expect.stringContaining('AGENT_SEND_TIMEOUT_MS') } });
  expect(stream.text()).toBe('so');
  expect((await runTurn(harness, 'again')).end).toMatchObject({ reason: 'done' });
  await harness.close();
  await model.close();
});

test('a plugin that spoils the prompt ends the turn with a sentence for the user and a stack for the log', async () => {
  const harness = await startHarness({
    modules: { spoiler: { register: (_, emitter) => void emitter.tap('prompt.build', (() => ({ nonsense: true })) as never) } },
  });
  const { end } = await runTurn(harness, 'hello');
  expect(end).toMatchObject({ reason: 'error', error: { code: 'unexpected', message: expect.stringContaining('The turn failed') } });
  expect(JSON.stringify(end)).not.toMatch(/\.ts:\d+/);
  expect(harness.logs.some((line) => line.includes('error agent: turn'))).toBe(true);
  expect((await harness.call('GET', '/api/status')).body.busy).toBe(false);
  await harness.close();
});
