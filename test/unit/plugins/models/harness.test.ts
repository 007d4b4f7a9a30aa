import { afterEach, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../../helpers/scripted-model.ts';

const builtins = ['model-chat-completions', 'model-messages', 'model-demo'];
let harness: Harness | undefined;
let model: ScriptedModel | undefined;
afterEach(async () => {
  expect(await harness?.close()).toEqual([]);
  await model?.close();
  harness = model = undefined;
});

test('in the whole server, settings change the route live and usage is served', async () => {
  model = await startScriptedModel(() => ({ text: 'Hello.', usage: { input: 9, output: 2 } }));
  harness = await startHarness({ builtins, environment: { AGENT_API_KEY: 'test-key', AGENT_RETRY_MAX_DELAY_MS: '1' } });
  const changed = await harness.call('PUT', '/api/settings', { provider: { baseURL: model.url, model: 'chosen' } });
  expect(changed).toMatchObject({ status: 200 });
  const settings = await harness.call('GET', '/api/settings');
  expect(settings.body.provider).toMatchObject({ model: 'chosen', baseURL: model.url, apiKeyConfigured: true, route: 'chat-completions' });
  expect(JSON.stringify(settings.body)).not.toContain('test-key');

  const sent = await harness.call('POST', '/api/message', { text: 'Hi' });
  expect(sent.status).toBe(202);
  const ended = await harness.kernel.resolve('turns').ended(sent.body.turnId);
  expect(ended).toMatchObject({ reason: 'done', usage: { input: 9, output: 2 } });
  expect(model.requests[0]).toMatchObject({ wire: 'chat-completions', body: { model: 'chosen' } });

  const usage = await harness.call('GET', `/api/usage?chatId=${sent.body.chatId}&since=2020-01-01`);
  expect(usage).toMatchObject({ status: 200, body: { totals: { calls: 1, input: 9, output: 2 }, byPurpose: { chat: { calls: 1 } } } });
  expect(usage.body.rows[0]).toMatchObject({ model: 'chosen', turnId: sent.body.turnId });
  expect((await harness.call('GET', '/api/usage?since=yesterday')).status).toBe(400);
});

test('without a key the demo is configured and says so', async () => {
  harness = await startHarness({ builtins });
  expect((await harness.call('GET', '/api/config')).body).toMatchObject({ demoModel: true });
  expect((await harness.call('GET', '/api/settings')).body.provider).toMatchObject({ apiKeyConfigured: false, route: 'demo' });
});
