// Tests unusable settings of the model provider: no request is sent, and the error names the setting.
import { expect, test } from 'vitest';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels;

const unusable: readonly (readonly [variable: string, text: string, why: string])[] = [
  ['AGENT_API_BASE_URL', 'ftp://models.example', 'must be an http or https address'],
  ['AGENT_API_BASE_URL', 'http://exa mple', 'must be an http or https address'],
  ['AGENT_API_KEY', 'sk-a\u200bb', 'has the character U+200B at position 5'],
  ['AGENT_BUDGET_USD_PER_DAY', '2,50', 'must be a number, such as 2.50.'],
  ['AGENT_BUDGET_USD_PER_DAY', '-1', 'must be from 0 to 1000000.'],
  ['AGENT_BUDGET_USD_PER_CHAT', 'ten', 'must be a number, such as 2.50.'],
];

test.each(unusable)('%s=%j rejects every request', async (variable, text, why) => {
  opened = await openModels([{ text: 'never' }], { environment: { [variable]: text } });
  const { models, model, ask } = opened;
  const refused = expect.objectContaining({
    code: 'KRN_ERR_SETTING_UNUSABLE',
    message: expect.stringContaining(`${variable} cannot be used: its value ${why}`),
  });
  await expect(ask({ chatId: 'chat_1' })).rejects.toEqual(refused);
  await expect(
    models.complete({ system: '', messages: [], tools: [], maxTokens: 9, purpose: 'title', chatId: 'chat_1' }, { ms: 10_000, signals: [] }),
  ).rejects.toEqual(refused);
  const request = { path: '/embeddings', body: { json: {} }, model: 'm', purpose: 'embed', plugin: 'memory', chatId: 'chat_1' };
  await expect(models.request(request, new AbortController().signal)).rejects.toEqual(refused);
  expect(model.requests).toEqual([]);
});

test.each(unusable.filter(([variable]) => !variable.includes('BUDGET')))('%s=%j: the empty model list includes the reason', async (variable, text) => {
  opened = await openModels([], { environment: { [variable]: text } });
  expect((await opened.models.list()).reason).toContain(`${variable} cannot be used`);
  expect(opened.models.route()).toMatchObject({ wire: 'chat-completions', baseURL: '' });
  expect(opened.model.requests).toEqual([]);
});

test('an unusable key of another provider has no effect while the main key is used', async () => {
  opened = await openModels([{ text: 'hi' }], { environment: { OPENAI_API_KEY: 'sk-\u200b-x' } });
  await opened.ask();
  expect(opened.model.requests).toHaveLength(1);
});

test.each([
  ['Bearer test-key', 'test-key'],
  [' "test-key"\n', 'test-key'],
])('the key %j is sent as %j', async (text, key) => {
  opened = await openModels([{ text: 'hi' }], { environment: { AGENT_API_KEY: text } });
  await opened.ask();
  expect(opened.model.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${key}` });
});

test('accepts a typed key and address in any readable form', async () => {
  opened = await openModels([{ text: 'ok' }, { text: 'hi' }]);
  const { baseURL } = opened.models.route();
  const route = opened.routes.find(({ key }) => key === 'POST /api/provider/key');
  const body = { key: ' Bearer "typed-key"\n', baseURL: ` ${baseURL.replace('http://', '')}/chat/completions?x=1 ` };
  expect(await route?.handle({ body } as never)).toMatchObject({ ok: true, keepLine: `AGENT_API_BASE_URL=${baseURL}\nAGENT_API_KEY=<key>` });
  expect(opened.models.route()).toMatchObject({ baseURL, apiKey: 'typed-key' });
});

test.each([
  [{ key: 'sk-a\u200bb' }, 'The entered key has the character U+200B at position 5'],
  [{ key: '  ' }, 'The entered key is empty.'],
  [{ key: 'sk-a', baseURL: 'ftp://models.example' }, 'The entered base URL must be an http or https address'],
])('rejects a typed %j', async (body, why) => {
  opened = await openModels([]);
  const route = opened.routes.find(({ key }) => key === 'POST /api/provider/key');
  await expect(route?.handle({ body } as never)).rejects.toMatchObject({ code: 'MODELS_ERR_TYPED_INVALID', message: expect.stringContaining(why) });
  expect(opened.model.requests).toEqual([]);
});
