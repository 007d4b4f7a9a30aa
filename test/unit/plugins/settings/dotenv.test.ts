import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEventStream, runTurn } from '../../../helpers/event-stream.ts';
import { startHarness } from '../../../helpers/harness.ts';
import { startScriptedModel } from '../../../helpers/scripted-model.ts';

test('a key in .env applies from the next turn on, as do its replacement and removal', async () => {
  const model = await startScriptedModel(() => ({ text: 'from the provider' }));
  const harness = await startHarness({ builtins: ['model-chat-completions', 'model-demo'] });
  const path = join(harness.home, '.env');
  const config = async (): Promise<boolean> => (await harness.call('GET', '/api/config')).body.demoModel;
  try {
    expect(await config()).toBe(true);
    for (const key of ['first-key', 'second-key']) {
      await writeFile(path, `AGENT_API_BASE_URL=${model.url}\nAGENT_API_KEY=${key}\n`);
      expect((await runTurn(harness, 'Hello.')).end).toMatchObject({ reason: 'done' });
      expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
    }
    await rm(path);
    await runTurn(harness, 'And now?');
    expect(model.requests).toHaveLength(2);
    expect(await config()).toBe(true);
  } finally {
    await harness.close();
    await model.close();
  }
});

test('clients are notified without a turn, and preferences and the environment take precedence', async () => {
  const harness = await startHarness({ builtins: ['model-chat-completions', 'model-demo'], environment: { AGENT_FAST_MODEL: 'from the environment' } });
  const stream = await openEventStream(harness, { chatId: 'all' });
  const valueOf = (key: string): unknown => harness.kernel.control.fields().find((field) => field.key === key)?.value;
  try {
    await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_MODEL: 'chosen', AGENT_YOLO: '1' } } });
    await writeFile(join(harness.home, '.env'), 'AGENT_MODEL=other\nAGENT_FAST_MODEL=other\nAGENT_RETRY_MAX_DELAY_MS=7\nAGENT_API_KEY=some-key\n');
    await stream.until((event) => event.kind === 'settings_changed' && (event['keys'] as string[]).includes('AGENT_RETRY_MAX_DELAY_MS'));
    expect([valueOf('AGENT_MODEL'), valueOf('AGENT_FAST_MODEL'), valueOf('AGENT_RETRY_MAX_DELAY_MS')]).toEqual(['chosen', 'from the environment', 7]);
    expect(valueOf('AGENT_YOLO')).toBe(true);
    expect((await harness.call('GET', '/api/config')).body.demoModel).toBe(false);
    await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_MODEL: null } } });
    expect(valueOf('AGENT_MODEL')).toBe('other');
  } finally {
    stream.close();
    await harness.close();
  }
});
