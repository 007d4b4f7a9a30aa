import { expect, test } from 'vitest';
import { factsAgeDays, modelFacts, shutdownOf } from '../../../../plugins/models/model-facts.ts';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;
const asked = (): string[] => opened!.model.requests.map(({ body }) => body.model);
const environment = { AGENT_MODEL_FALLBACKS: 'second, third' };

test.each([
  ['out of quota', 402, 'insufficient_quota', ['scripted', 'second']],
  ['a model that was shut down', 404, 'The model `scripted` does not exist', ['scripted', 'second']],
  ['overloaded', 529, 'Overloaded', ['scripted', 'scripted', 'second']],
])('%s: the next model replies, and is used directly from then on', async (_, status, message, expected) => {
  opened = await openModels(({ body }) => (body.model === 'scripted' ? { status, body: { error: { message } } } : { text: body.model }), { environment });
  expect(await opened.ask()).toMatchObject({ text: 'second', model: 'second' });
  expect(asked()).toEqual(expected);
  await opened.ask();
  expect(asked().at(-1)).toBe('second');
  expect(asked()).toHaveLength(expected.length + 1);
});

test('tries fallbacks in order and reports the last fault', async () => {
  opened = await openModels(() => ({ status: 402, body: { error: { message: 'no credit' } } }), { environment });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_BUDGET' });
  expect(asked()).toEqual(['scripted', 'second', 'third']);
});

test('a wrong key, a rejected request and a partly shown reply use no fallback', async () => {
  opened = await openModels([{ status: 401 }, { status: 400, body: { error: { message: 'safety system' } } }], { environment });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_AUTH' });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED' });
  opened.model.push({ text: ['half', 'way'], cutAfter: 1 }, { text: 'whole' });
  expect(await opened.ask()).toMatchObject({ text: 'whole', model: 'scripted' });
});

test('without AGENT_MODEL the model list of an unknown server provides the model', async () => {
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined } });
  opened.model.listModels(() => ({ body: { data: [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }] } }));
  expect(await opened.ask()).toMatchObject({ model: 'qwen3:8b' });
  await opened.ask();
  expect(opened.model.listed).toBe(1);
});

test('a typed key gets a default model from the list, and a server without a list gets a placeholder name', async () => {
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined, AGENT_API_BASE_URL: undefined, AGENT_API_KEY: undefined } });
  expect((await opened.models.list()).models).toEqual([]);
  opened.model.listModels(() => ({ body: { data: [{ id: 'qwen3:8b' }] } }));
  await opened.models.useKey({ key: 'k', baseURL: opened.model.url });
  expect(opened.models.route().model).toBe('qwen3:8b');
  await opened.close();
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined } });
  expect(await opened.ask()).toMatchObject({ model: 'default' });
});

test('shutdownOf warns 30 days ahead, handles dated names and router prefixes, and prefers the provider list', () => {
  const now = Date.parse('2026-12-20');
  expect(shutdownOf('gpt-4.1', now)).toEqual({ model: 'gpt-4.1', on: '2027-01-14', successor: 'gpt-6-luna' });
  expect(shutdownOf('openai/gpt-4.1-2025-04-14', now)).toMatchObject({ successor: 'openai/gpt-6-luna' });
  expect(shutdownOf('gpt-4.1', Date.parse('2026-12-01'))).toBeUndefined();
  expect(shutdownOf('gpt-4.1-turbo-x', now)).toBeUndefined();
  expect(shutdownOf('unheard-of', now, '2027-01-01')).toEqual({ model: 'unheard-of', on: '2027-01-01' });
});

test('no default model is scheduled for shutdown', () => {
  for (const model of Object.values(modelFacts.defaults).flat()) expect(shutdownOf(model, Date.parse(modelFacts.checkedOn))).toBeUndefined();
  expect(factsAgeDays(Date.parse(modelFacts.checkedOn) + 3 * 24 * 60 * 60 * 1_000)).toBe(3);
});
