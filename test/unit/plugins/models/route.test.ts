import { expect, test } from 'vitest';
import { placeOfFault, resolveRoute, type ModelSettings } from '../../../../plugins/models/route.ts';
import { settingsSchema } from '../../../../plugins/models/settings-schema.ts';
import { asModule, openModels, type OpenedModels } from './open-models.ts';

const defaults = Object.fromEntries(
  Object.entries(settingsSchema.properties).map(([name, property]) => [name, (property as { default?: unknown }).default]),
) as ModelSettings;
const routeOf = (settings: Partial<ModelSettings>): ReturnType<typeof resolveRoute> =>
  resolveRoute({ ...defaults, ...settings }, (variable) => (variable === 'AGENT_API_BASE_URL' ? settings.baseURL : settings.model) !== undefined);

let opened: OpenedModels | undefined;

test('the main key is sent to the base URL and overrides every provider key', () => {
  expect(routeOf({ apiKey: 'own', openaiKey: 'o' })).toMatchObject({ wire: 'chat-completions', baseURL: 'https://openrouter.ai/api/v1', apiKey: 'own' });
  expect(routeOf({ apiKey: 'own', baseURL: 'http://localhost:8080/v1' })).toMatchObject({ baseURL: 'http://localhost:8080/v1', apiKey: 'own' });
});

test('a provider key selects its own base URL, wire and model, in a fixed order', () => {
  expect(routeOf({ xaiKey: 'x' })).toMatchObject({ baseURL: 'https://api.x.ai/v1', apiKey: 'x', wire: 'responses' });
  expect(routeOf({ xaiKey: 'x', anthropicKey: 'a' })).toMatchObject({ baseURL: 'https://api.anthropic.com/v1', apiKey: 'a', wire: 'messages' });
  expect(routeOf({ anthropicKey: 'a', openaiKey: 'o' })).toMatchObject({ baseURL: 'https://api.openai.com/v1', apiKey: 'o' });
  expect(routeOf({ openaiKey: 'o', openrouterKey: 'r' })).toMatchObject({ baseURL: 'https://openrouter.ai/api/v1', apiKey: 'r' });
  expect(routeOf({ anthropicKey: 'a' }).model).not.toContain('/');
  expect(routeOf({ anthropicKey: 'a', model: 'mine' }).model).toBe('mine');
});

test('with a base URL set, a provider key is used only for its own provider', () => {
  const all = { openrouterKey: 'r', openaiKey: 'o', anthropicKey: 'a', xaiKey: 'x' };
  expect(routeOf({ ...all, baseURL: 'https://api.x.ai/v1/' })).toMatchObject({ apiKey: 'x' });
  expect(routeOf({ ...all, baseURL: 'https://api.anthropic.com/v1' })).toMatchObject({ apiKey: 'a', wire: 'messages' });
  for (const baseURL of ['http://api.openai.com/v1', 'https://api.openai.com:8443/v1', 'https://api.openai.com.evil.example/v1', 'http://127.0.0.1:11434/v1']) {
    const route = routeOf({ ...all, baseURL });
    expect(route).toMatchObject({ wire: 'chat-completions', baseURL });
    expect(route).not.toHaveProperty('apiKey');
  }
});

test('a fault includes the address and the variables that hold its key', () => {
  const openai = { baseURL: 'https://api.openai.com/v1' };
  expect(placeOfFault({}, openai)).toEqual({ address: 'https://api.openai.com/v1', key: 'AGENT_API_KEY or OPENAI_API_KEY' });
  expect(placeOfFault({ url: 'http://box:1/v1/messages' }, { baseURL: 'http://me:secret@box:1' })).toEqual({
    address: 'http://box:1/v1/messages',
    key: 'AGENT_API_KEY',
  });
  expect(placeOfFault({}, { baseURL: 'http://me:secret@box:1/v1' }).address).toBe('http://box:1/v1');
});

test('without a key and a base URL the demo is used', () => {
  expect(routeOf({})).toMatchObject({ wire: 'demo' });
  expect(routeOf({ wire: 'messages' })).toMatchObject({ wire: 'demo' });
  expect(routeOf({ wire: 'messages', apiKey: 'k' })).toMatchObject({ wire: 'messages' });
});

test('a base URL without a key sends requests without authorization', async () => {
  opened = await openModels([{ text: 'hi' }, { text: 'hi' }], { environment: { AGENT_API_KEY: undefined, OPENAI_API_KEY: 'sk-secret' } });
  await opened.ask();
  expect(opened.model.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(JSON.stringify(opened.model.requests)).not.toContain('sk-secret');
});

test('each wire sends the key in its own header', async () => {
  opened = await openModels([{ text: 'hi' }, { text: 'hi' }]);
  await opened.ask();
  expect(opened.model.requests[0]?.headers).toMatchObject({ authorization: 'Bearer test-key', 'user-agent': 'app/1.0.0', 'accept-encoding': 'identity' });
  await opened.close();
  opened = await openModels([{ text: 'hi' }], { environment: { AGENT_MODEL_WIRE: 'messages' } });
  await opened.ask();
  expect(opened.model.requests[0]?.headers).toMatchObject({ 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' });
  expect(opened.model.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('a changed model applies to the next request, and helper calls use the fast model', async () => {
  opened = await openModels(() => ({ text: 'hi' }), { environment: { AGENT_MODEL: undefined } });
  const { ask, kernel, model } = opened;
  await kernel.control.setPreferences({ AGENT_MODEL: 'one' });
  await ask();
  await ask({ purpose: 'title' });
  await kernel.control.setPreferences({ AGENT_MODEL: 'two', AGENT_FAST_MODEL: 'quick' });
  await ask();
  await ask({ purpose: 'title' });
  await ask({ purpose: 'judge', model: 'special' });
  expect(model.requests.map(({ body }) => body.model)).toEqual(['one', 'one', 'two', 'quick', 'special']);
});

test('a tap on model.route overrides the route, also in the settings and the configuration', async () => {
  const managed = asModule({
    register: (_: unknown, emitter: any) =>
      emitter.tap('model.route', (route: object, request?: object) => ({ ...route, wire: 'messages', model: request ? 'managed' : 'shown' })),
  });
  opened = await openModels([{ text: 'hi' }], { modules: { managed }, environment: { AGENT_API_KEY: undefined, OPENAI_API_KEY: 'k' } });
  expect(await opened.ask()).toMatchObject({ model: 'managed' });
  expect(opened.model.requests[0]).toMatchObject({ wire: 'messages' });
  const summary = { model: '', baseURL: '', apiKeyConfigured: true, inferenceMode: 'auto', route: '' } as const;
  expect(await opened.kernel.emitter.call('settings.provider', [summary])).toEqual({
    model: 'shown',
    baseURL: opened.model.url,
    apiKeyConfigured: false,
    inferenceMode: 'auto',
    route: 'messages',
  });
  expect(await opened.section('GET /api/config')).toEqual({ demoModel: false });
});

test('a missing key is shown as the demo, and no key is ever visible', async () => {
  opened = await openModels([], { environment: { AGENT_API_KEY: undefined, AGENT_API_BASE_URL: undefined } });
  expect(await opened.section('GET /api/config')).toEqual({ demoModel: true });
  expect(opened.models.route()).toMatchObject({ wire: 'demo' });
  await opened.close();
  opened = await openModels([], { environment: { XAI_API_KEY: 'hidden' } });
  expect(JSON.stringify(opened.fields())).not.toContain('hidden');
});
