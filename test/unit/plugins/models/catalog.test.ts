import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, runTurn, type ScriptedModel, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';

const rows = [
  { id: 'b-large', name: 'B large', context_length: 200_000, pricing: { prompt: '0.000003', completion: '0.000015' } },
  { id: 'a-small', context_window: 8_192, pricing: { input: 0.1, output: 0.4 } },
  { id: 'c-odd', pricing: 'free', context_length: 'long', architecture: { input_modalities: 'audio' } },
  { id: 'd-hears', architecture: { input_modalities: ['text', 'audio'] } },
  { no: 'id' },
  null,
];

async function withServer(environment: Record<string, string | undefined>, use: (harness: Harness, model: ScriptedModel) => Promise<void>): Promise<void> {
  const model = await startScriptedModel(() => ({ text: 'fine' }));
  const harness = await startHarness({
    builtins: ['model-chat-completions', 'model-messages', 'model-demo'],
    environment: Object.fromEntries(Object.entries({ ...model.environment, ...environment }).filter(([, value]) => value !== undefined)),
  });
  await use(harness, model);
}

test('GET /api/models lists the models of the endpoint, caches them for ten minutes, and includes the current one', async () => {
  await withServer({}, async (harness, model) => {
    model.listModels(() => ({ body: { data: rows } }));
    const expected = [
      { id: 'a-small', contextLength: 8_192, price: { input: 0.1, output: 0.4 } },
      { id: 'b-large', name: 'B large', contextLength: 200_000, price: { input: 3, output: 15 } },
      { id: 'c-odd' },
      { id: 'd-hears', takesAudio: true },
    ];
    for (let time = 0; time < 3; time++) expect((await harness.call('GET', '/api/models')).body).toEqual({ models: expected, current: 'scripted' });
    expect(model.listed).toBe(1);
    const models = harness.kernel.resolve('models');
    expect(await models.window('a-small')).toBe(8_192);
    expect(await Promise.all(['d-hears', 'c-odd', undefined].map((id) => models.takesAudio(id)))).toEqual([true, false, false]);
  });
});

test('lists models over the messages wire too', async () => {
  await withServer({ AGENT_MODEL_WIRE: 'messages' }, async (harness, model) => {
    model.listModels((key) => ({ body: { data: [{ type: 'model', id: 'm-1', display_name: `Seen with ${key}` }] } }));
    expect((await harness.call('GET', '/api/models')).body.models).toEqual([{ id: 'm-1', name: 'Seen with test-key' }]);
  });
});

test('without a list or a key it returns no models and a reason, and does not cache the failure', async () => {
  await withServer({}, async (harness, model) => {
    expect((await harness.call('GET', '/api/models')).body).toMatchObject({
      models: [],
      reason: expect.stringContaining('returned no list'),
      current: 'scripted',
    });
    model.listModels(() => ({ status: 401, body: { error: { message: 'who are you with test-key' } } }));
    const { body } = await harness.call('GET', '/api/models');
    expect(body.reason).toContain('who are you');
    expect(JSON.stringify(body)).not.toContain('test-key');
    model.listModels(() => ({ body: [{ id: 'now' }] }));
    expect((await harness.call('GET', '/api/models')).body.models).toEqual([{ id: 'now' }]);
  });
  await withServer({ AGENT_API_KEY: undefined, AGENT_API_BASE_URL: undefined, AGENT_MODEL: undefined }, async (harness) => {
    expect((await harness.call('GET', '/api/models')).body).toMatchObject({ models: [], reason: expect.stringContaining('demo') });
  });
});

test('a typed key is tested, used from then on, and neither shown nor written', async () => {
  const nothing = { AGENT_API_KEY: undefined, AGENT_API_BASE_URL: undefined, AGENT_MODEL: undefined };
  await withServer(nothing, async (harness, model) => {
    model.listModels((key) => (key === 'right-key-1' ? { body: { data: [{ id: 'm' }] } } : { status: 401, body: { error: { message: `no: ${key}` } } }));
    const refused = await harness.call('POST', '/api/provider/key', { key: 'wrong-key-1', baseURL: model.url });
    expect(refused).toMatchObject({ status: 502, body: { error: { code: 'provider_auth' } } });
    expect(JSON.stringify(refused.body)).not.toContain('wrong-key-1');
    expect((await harness.call('GET', '/api/config')).body.demoModel).toBe(true);

    const taken = await harness.call('POST', '/api/provider/key', { key: 'right-key-1', baseURL: `${model.url}/`, model: 'm' });
    expect(taken).toMatchObject({ status: 200, body: { ok: true, models: [{ id: 'm' }] } });
    expect(taken.body.keepLine).toBe(`AGENT_API_BASE_URL=${model.url}\nAGENT_MODEL=m\nAGENT_API_KEY=<key>`);
    expect(model.requests).toHaveLength(0);
    expect((await harness.call('GET', '/api/config')).body.demoModel).toBe(false);
    expect((await harness.call('GET', '/api/settings')).body.provider).toMatchObject({ model: 'm', baseURL: model.url, apiKeyConfigured: true });
    const { end } = await runTurn(harness, 'Hello.');
    expect(end).toMatchObject({ reason: 'done' });
    expect(model.requests[0]?.headers.authorization).toBe('Bearer right-key-1');
    for (const name of ['.env', '.agent_runtime_prefs.json', 'usage.jsonl', `chats/${end.chatId}/session.jsonl`])
      expect(await readFile(join(harness.home, name), 'utf8').catch(() => '')).not.toContain('right-key-1');
    expect(JSON.stringify(harness.logs)).not.toContain('right-key-1');

    expect((await harness.call('DELETE', '/api/provider/key')).body).toEqual({ ok: true });
    expect((await harness.call('GET', '/api/config')).body.demoModel).toBe(true);
  });
});

test('with a public or missing model list, the key is tested with a one-word request', async () => {
  for (const isPublic of [true, false]) {
    const model = await startScriptedModel((request) =>
      request.headers.authorization === 'Bearer right-key-1' ? { text: 'ok' } : { status: 401, body: { error: { message: 'unknown key' } } },
    );
    const harness = await startHarness({ builtins: ['model-chat-completions', 'model-demo'] });
    if (isPublic) model.listModels(() => ({ body: { data: [{ id: 'm' }] } }));
    expect((await harness.call('POST', '/api/provider/key', { key: 'wrong-key-1', baseURL: model.url })).body.error.code).toBe('provider_auth');
    const taken = await harness.call('POST', '/api/provider/key', { key: 'right-key-1', baseURL: model.url });
    expect(taken.body).toEqual({ ok: true, keepLine: expect.any(String), ...(isPublic ? { models: [{ id: 'm' }] } : {}) });
    expect(model.requests.map(({ body }) => body.max_tokens)).toEqual([16, 16]);
  }
});
