import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as budgets from '../../../../builtins/models/budgets/index.ts';
import { createLedger } from '../../../../plugins/models/spending/ledger.ts';
import { localDay, nextMidnight } from '../../../../plugins/lib/local-day.ts';
import { createPrices, promptTokens } from '../../../../plugins/models/spending/prices.ts';
import { realClock } from '../../../../plugins/models/retry.ts';
import { openEventStream, runTurn, type Script, startHarness, startScriptedModel } from '../../../helpers/in-process.ts';
import { asModule, openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels | undefined;

const price = { prompt: '0.00001', completion: '0.0001' };
const listed = { data: [{ id: 'scripted', pricing: price }] };

async function open(script: Script, environment: Record<string, string>): Promise<OpenedModels> {
  opened = await openModels(script, { environment, modules: { budgets: asModule(budgets) } });
  opened.model.listModels(() => ({ body: listed }));
  return opened;
}

const usage = async (query: object = {}): Promise<any> => opened?.routes.find(({ key }) => key === 'GET /api/usage')?.handle({ query } as never);
const capOf = async (name: string, query: object = {}): Promise<any> => (await usage(query)).caps.find((cap: any) => cap.name === name);
const codes = (results: readonly PromiseSettledResult<unknown>[]): string[] =>
  results.map((one) => (one.status === 'fulfilled' ? 'ok' : String((one.reason as { code?: string }).code))).sort();

test('concurrent calls cannot exceed a cap together, and the last one is limited to the remaining budget', async () => {
  const { ask, model } = await open(({ body }) => ({ text: 'fine', usage: { input: 1, output: body.max_tokens, cost: body.max_tokens * 0.0001 } }), {
    AGENT_BUDGET_USD_PER_DAY: '0.35',
  });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => ask({ maxTokens: 1_000, system: '', messages: [] })));
  const sizes = model.requests.map(({ body }) => body.max_tokens as number);
  expect(sizes).toEqual([1_000, 1_000, 1_000, 500]);
  expect(codes(results)).toEqual([...Array.from({ length: 16 }, () => 'MODELS_ERR_DAY_BUDGET'), ...Array.from({ length: 4 }, () => 'ok')]);
  expect(await capOf('day')).toMatchObject({
    limit: 0.35,
    spent: expect.closeTo(0.35, 9),
    held: 0,
    left: expect.closeTo(0, 9),
    source: 'AGENT_BUDGET_USD_PER_DAY',
  });
});

test('calls wait for reserved money instead of being rejected', async () => {
  const { ask, model } = await open(() => ({ text: 'fine', usage: { input: 1, output: 1, cost: 0.01 } }), { AGENT_BUDGET_USD_PER_DAY: '0.25' });
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => ask({ maxTokens: 1_000, system: '', messages: [] })));
  expect(codes(results)).toEqual(Array.from({ length: 12 }, () => 'ok'));
  expect(model.requests.every(({ body }) => body.max_tokens === 1_000)).toBe(true);
});

test('aborting ends the wait for reserved money', async () => {
  let answer: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (answer = resolve));
  const { ask, model } = await open(() => ({ text: 'fine', until, usage: { cost: 0.2 } }), { AGENT_BUDGET_USD_PER_DAY: '0.11' });
  const first = ask({ maxTokens: 1_000, system: '', messages: [] });
  await model.request(0);
  const abort = new AbortController();
  const second = ask({ maxTokens: 1_000, system: '', messages: [] }, abort.signal);
  abort.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  answer();
  await first;
  await expect(ask()).rejects.toMatchObject({ code: 'MODELS_ERR_DAY_BUDGET', message: expect.stringMatching(/cost 0\.20 USD.*allows 0\.11.*after midnight/) });
});

test('a reservation is on disk before the request is sent and counts as spent after a crash', async () => {
  let seen = '';
  await open(
    async () => {
      seen = await readFile(join(opened?.home ?? '', 'usage.jsonl'), 'utf8');
      return { text: 'fine', usage: { cost: 0.02 } };
    },
    { AGENT_BUDGET_USD_PER_DAY: '1' },
  );
  await opened?.ask({ maxTokens: 1_000, system: '', messages: [] });
  expect(JSON.parse(seen)).toMatchObject({ held: expect.closeTo(0.1, 9), hold: expect.any(String), purpose: 'chat' });
  const home = opened?.home ?? '';
  const whole = await readFile(join(home, 'usage.jsonl'), 'utf8');
  await opened?.close();
  // The state after a kill between the two lines; the first call had ended normally.
  opened = await openModels([], { environment: { AGENT_BUDGET_USD_PER_DAY: '1' } });
  await writeFile(join(opened.home, 'usage.jsonl'), whole + seen.replace(/"hold":"[^"]+"/, '"hold":"other"'));
  expect(await capOf('day')).toMatchObject({ spent: expect.closeTo(0.12, 9) });
  expect((await usage()).totals).toMatchObject({ calls: 1, cost: 0.02 });
});

test('an aborted call is booked by its received output, an unanswered one at no cost', async () => {
  const { ask, model } = await open([{ text: ['abc'.repeat(100), 'late'], stallAfter: 1 }, { status: 400 }], { AGENT_BUDGET_USD_PER_DAY: '1' });
  const abort = new AbortController();
  const stopped = ask({ maxTokens: 1_000, system: '', messages: [] }, abort.signal);
  await model.request(0);
  await expect.poll(() => opened?.seen.text.length).toBe(300);
  abort.abort(new Error('stop'));
  await expect(stopped).rejects.toThrow('stop');
  await expect(ask({ maxTokens: 1_000 })).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED' });
  expect(await capOf('day')).toMatchObject({ spent: expect.closeTo(0.01, 6), held: 0 });
  expect((await usage()).rows).toMatchObject([{ purpose: 'chat', estimate: expect.closeTo(0.01, 6) }]);
});

test('a reply without a cost is booked at the list price', async () => {
  const { ask } = await open([{ text: 'fine', usage: { input: 1_000, output: 100 } }], { AGENT_BUDGET_USD_PER_DAY: '1' });
  await ask();
  expect(await capOf('day')).toMatchObject({ spent: expect.closeTo(0.02, 9) });
});

test('each purpose and each chat has its own cap', async () => {
  const environment = { AGENT_BUDGET_USD_FOR_MEMORY: '0.3', AGENT_BUDGET_USD_PER_CHAT: '0.5', AGENT_BUDGET_USD_FOR_CHAT: '5' };
  const { ask } = await open(() => ({ text: 'fine', usage: { cost: 0.3 } }), environment);
  const [chatId, other] = ['chat_00000000000000000000000001', 'chat_00000000000000000000000002'];
  await ask({ purpose: 'extract' });
  await expect(ask({ purpose: 'autolink' })).rejects.toMatchObject({
    code: 'MODELS_ERR_PURPOSE_BUDGET',
    message: expect.stringMatching(/'memory' cost 0\.30 USD, and AGENT_BUDGET_USD_FOR_MEMORY allows 0\.3/),
  });
  await ask({ purpose: 'critic', chatId });
  await ask({ chatId });
  await expect(ask({ chatId })).rejects.toMatchObject({ code: 'MODELS_ERR_CHAT_BUDGET', message: expect.stringMatching(/start a new chat/) });
  await ask({ chatId: other });
  await ask({ purpose: 'subtask' });
  expect(await capOf('memory')).toMatchObject({ spent: 0.3, left: 0 });
  expect(await capOf('chat')).toMatchObject({ spent: expect.closeTo(0.9, 9) });
  expect(await capOf('task')).toMatchObject({ limit: 0, spent: 0.3 });
  expect(await capOf('each chat', { chatId })).toMatchObject({ per: 'chat', spent: 0.6 });
  expect(await capOf('each chat')).toBeUndefined();
});

test('requests outside conversations reserve the stated maximum cost, else the highest cost so far', async () => {
  const { models } = await open([], { AGENT_BUDGET_USD_FOR_VOICE: '0.05' });
  const speak = { path: '/nothing', body: { json: {} }, model: 'scripted', purpose: 'speak', plugin: 'speech', mostCost: 0.06 };
  await expect(models.request(speak, new AbortController().signal)).rejects.toMatchObject({ code: 'MODELS_ERR_PURPOSE_BUDGET' });
  await expect(models.request({ ...speak, mostCost: 0.01 }, new AbortController().signal)).rejects.toMatchObject({ code: 'MODELS_ERR_PROVIDER_REFUSED' });
  expect(await capOf('voice')).toMatchObject({ spent: 0, held: 0 });
});

test('without a price the assumed price applies, except for a local model', async () => {
  const asked: string[] = [];
  const catalog = {
    list: ({ baseURL }: { readonly baseURL: string }) => (asked.push(baseURL), Promise.resolve({ models: [], current: 'm' })),
    priceOf: () => undefined,
  };
  const prices = createPrices(catalog, { assumedInputPrice: 5, assumedOutputPrice: 25 }, realClock);
  const route = { wire: 'chat-completions', model: 'm', baseURL: 'https://models.example/v1' } as const;
  expect(await prices.of(route)).toEqual({ input: 0.000005, output: 0.000025 });
  await prices.of(route);
  expect(asked).toHaveLength(1);
  expect(await prices.of({ ...route, baseURL: 'http://127.0.0.1:8080/v1' })).toEqual({ input: 0, output: 0 });
  expect(promptTokens({ system: '', messages: [{ role: 'user', text: 'x'.repeat(300) }], tools: [] })).toBeGreaterThan(75);
});

test('a day begins at midnight in the time zone of the machine', async () => {
  let now = new Date(2026, 2, 5, 23, 59, 59);
  const ledger = createLedger({ history: () => (async function* () {})() }, () => now);
  await ledger.ready();
  ledger.add({ at: now.toISOString(), purpose: 'chat', chatId: 'c', cost: 1 });
  expect(ledger.today(() => true)).toBe(1);
  expect(localDay(now)).toBe('2026-03-05');
  now = nextMidnight(now);
  expect(ledger.today(() => true)).toBe(0);
  expect(ledger.inChat('c')).toBe(1);
});

test('the chat is warned once at 80 and 95 percent, a turn over the cap ends with advice, and a restart preserves both', async () => {
  const model = await startScriptedModel(() => ({ text: 'fine', usage: { input: 10, output: 5, cost: 0.2 } }));
  const environment = { ...model.environment, AGENT_BUDGET_USD_PER_DAY: '1', AGENT_BUDGET_USD_FOR_CHAT: '10' };
  const builtins = ['model-chat-completions', 'budgets'];
  let harness = await startHarness({ builtins, environment });
  const { home, workspace } = harness;
  const stream = await openEventStream(harness);
  for (let turn = 0; turn < 5; turn++) expect((await runTurn(harness, 'Hello.')).end).toMatchObject({ reason: 'done' });
  const warnings = stream.events.filter(({ kind }) => kind === 'budget_warning');
  stream.close();
  expect(warnings).toMatchObject([
    { percent: 80, cap: 'day', source: 'AGENT_BUDGET_USD_PER_DAY', limit: 1 },
    { percent: 95, cap: 'day' },
  ]);
  await harness.close({ keepFiles: true });
  harness = await startHarness({ builtins, environment, home, workspace });
  const { end, chatId } = (await runTurn(harness, 'Hello.')) as any;
  expect(end).toMatchObject({
    reason: 'budget',
    error: { code: 'day_budget', message: expect.stringMatching(/Increase the limit, or continue after midnight/) },
  });
  const active = chatId ?? end.chatId;
  const { body } = await harness.call('GET', `/api/chats/${active}/transcript`);
  const notes = body.entries.filter((entry: any) => /percent of the budget 'day' are spent/.test(entry.text));
  expect(notes).toHaveLength(2);
  const { caps } = (await harness.call('GET', `/api/usage?chatId=${active}`)).body;
  expect(caps).toContainEqual(expect.objectContaining({ name: 'day', limit: 1, left: 0, resetsAt: expect.any(String) }));
  const { fields } = (await harness.call('GET', '/api/settings')).body;
  expect(fields.map((field: any) => field.key)).toEqual(expect.arrayContaining(['AGENT_BUDGET_USD_PER_CHAT', 'AGENT_BUDGET_USD_FOR_VOICE']));
});
