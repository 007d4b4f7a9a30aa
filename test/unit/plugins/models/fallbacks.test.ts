import { expect, test } from 'vitest';
import { factsAgeDays, modelFacts, shutdownOf } from '../../../../plugins/models/model-facts.ts';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;
const asked = (): string[] => opened!.model.requests.map(({ body }) => body.model);
const environment = { AGENT_MODEL_FALLBACKS: 'second, third' };

test.each([
  ['out of quota', 402, 'insufficient_quota', ['scripted', 'second']],
  ['shut down', 404, 'The model `scripted` does not exist', ['scripted', 'second']],
  ['overloaded', 529, 'Overloaded', ['scripted', 'scripted', 'second']],
])('%s: the next model answers, and answers at once from then on', async (_, status, message, expected) => {
  opened = await openModels(({ body }) => (body.model === 'scripted' ? { status, body: { error: { message } } } : { text: body.model }), { environment });
  expect(await opened.ask()).toMatchObject({ text: 'second', model: 'second' });
  expect(asked()).toEqual(expected);
  await opened.ask();
  expect(asked().at(-1)).toBe('second');
  expect(asked()).toHaveLength(expected.length + 1);
});

test('they are tried in order, and the last fault is told', async () => {
  opened = await openModels(() => ({ status: 402, body: { error: { message: 'no credit' } } }), { environment });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_BUDGET' });
  expect(asked()).toEqual(['scripted', 'second', 'third']);
});

test('a wrong key, a bad request and a reply that was shown have no fallback', async () => {
  opened = await openModels([{ status: 401 }, { status: 400, body: { error: { message: 'safety system' } } }], { environment });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_AUTH' });
  await expect(opened.ask()).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED' });
  opened.model.push({ text: ['half', 'way'], cutAfter: 1 }, { text: 'whole' });
  expect(await opened.ask()).toMatchObject({ text: 'whole', model: 'scripted' });
});

test('without AGENT_MODEL a server that is not known by name is asked for its list', async () => {
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined } });
  opened.model.listModels(() => ({ body: { data: [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }] } }));
  expect(await opened.ask()).toMatchObject({ model: 'qwen3:8b' });
  await opened.ask();
  expect(opened.model.listed).toBe(1);
});

test('a typed key has a default model from the list at once, and a server without a list gets a name', async () => {
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined, AGENT_API_BASE_URL: undefined, AGENT_API_KEY: undefined } });
  expect((await opened.models.list()).models).toEqual([]);
  opened.model.listModels(() => ({ body: { data: [{ id: 'qwen3:8b' }] } }));
  await opened.models.useKey({ key: 'k', baseURL: opened.model.url });
  expect(opened.models.route().model).toBe('qwen3:8b');
  await opened.close();
  opened = await openModels(() => ({ text: 'ok' }), { environment: { AGENT_MODEL: undefined } });
  expect(await opened.ask()).toMatchObject({ model: 'default' });
});

test('shutdowns: 30 days before, dated names, prefixes of routers, the list of the provider first', () => {
  const now = Date.parse('2026-12-20');
  expect(shutdownOf('gpt-4.1', now)).toEqual({ model: 'gpt-4.1', on: '2027-01-14', successor: 'gpt-6-luna' });
  expect(shutdownOf('openai/gpt-4.1-2025-04-14', now)).toMatchObject({ successor: 'openai/gpt-6-luna' });
  expect(shutdownOf('gpt-4.1', Date.parse('2026-12-01'))).toBeUndefined();
  expect(shutdownOf('gpt-4.1-turbo-x', now)).toBeUndefined();
  expect(shutdownOf('unheard-of', now, '2027-01-01')).toEqual({ model: 'unheard-of', on: '2027-01-01' });
});

test('no default is a model that shuts down', () => {
  for (const model of Object.values(modelFacts.defaults).flat()) expect(shutdownOf(model, Date.parse(modelFacts.checkedOn))).toBeUndefined();
  expect(factsAgeDays(Date.parse(modelFacts.checkedOn) + 3 * 24 * 60 * 60 * 1_000)).toBe(3);
});
