// Tests the cost forecast of a turn: before, during and after the turn, and its storage without chat text.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach, useFolder } from '../../../helpers/in-process.ts';
import { createGate } from '../../plugins/agent/agent-bench.ts';

let harness: Harness;
const stock: readonly string[] = ['model-chat-completions', 'files', 'plan', 'forecast'];
const start = async (environment: Record<string, string> = {}, modules: Record<string, any> = {}, builtins = stock): Promise<void> => {
  harness = await startHarness({
    ...{ builtins, home, modules },
    environment: { ...model.environment, AGENT_FORECAST_FROM_USD: '0.05', ...environment },
  });
};
const model = useEach(() => startScriptedModel([]));
const home = useFolder('forecast-home-');
beforeEach(async () => {
  await start();
});

const usage = (cost: number): object => ({ input: 1_000, output: 100, cost });
/** Runs a turn with one tool call. Each of its two requests costs half. */
async function turn(text: string, cost: number): Promise<Awaited<ReturnType<typeof runTurn>>> {
  model.push({ text: 'I look.', toolCalls: [{ name: 'list_dir', args: { path: '.' } }], usage: usage(cost / 2) }, { text: 'Done.', usage: usage(cost / 2) });
  return runTurn(harness, text);
}
const ask = async (text: string, chatId?: string): Promise<any> =>
  (await harness.call('POST', '/api/forecast', { text, ...(chatId ? { chatId } : {}) })).body.forecast;
const costs = async (): Promise<any> => (await harness.call('GET', '/api/views/costs')).body;
const forecastsIn = (events: readonly any[]): any[] => events.filter(({ kind }) => kind === 'turn_forecast');

/** Audits cost about a dollar, greetings a cent. */
async function history(): Promise<void> {
  for (const [index, cost] of [0.9, 1, 1.1, 1.2, 0.8, 1].entries()) {
    await turn(`audit the parser module number ${index} for overflow bugs`, cost);
    await turn(`greet neighbour ${index}`, 0.01);
  }
}

test('forecasts from five turns on by similarity, and announces only expensive turns', async () => {
  expect(await ask('audit the parser module')).toBeNull();
  expect(forecastsIn((await turn('audit the parser module for bugs', 1)).events)).toEqual([]);
  await history();

  const dear = await ask('audit the parser module once more for overflow bugs');
  expect(dear).toMatchObject({ unit: 'usd', turns: 13 });
  expect(dear.likely).toBeGreaterThan(0.7);
  expect(dear.low).toBeLessThanOrEqual(dear.likely);
  expect(dear.high).toBeGreaterThanOrEqual(1);
  const cheap = await ask('greet neighbour Ada');
  expect(cheap.likely).toBeLessThan(0.05);

  expect(forecastsIn((await turn('greet neighbour Bo', 0.01)).events)).toEqual([]);
  const [before, ...more] = forecastsIn((await turn('audit the parser module for overflow bugs', 1)).events);
  expect(more).toEqual([]);
  expect(before).toMatchObject({ phase: 'before', unit: 'usd', soFar: 0 });
  expect(before.shown.text).toMatch(/^Likely cost of the turn: \$[01]\.\d\d; 80% range: \$.*\. Based on \d+ of your past turns, weighted by similarity\.$/);
}, 60_000);

test('reports once that a turn exceeds its forecast, and shows the parts of the turn afterwards', async () => {
  await history();
  const { events, turnId } = await turn('greet neighbour 3', 1.56);
  const [beyond, ...more] = forecastsIn(events);
  expect(more).toEqual([]);
  expect(beyond).toMatchObject({ phase: 'beyond', unit: 'usd', turnId });
  expect(beyond.soFar).toBeGreaterThan(0.5);
  expect(beyond.low).toBeGreaterThan(beyond.soFar);
  expect(beyond.shown.text).toMatch(
    /^The turn has cost \$\d\.\d\d so far, which is more than forecast\. New forecast of the total: \$.* Based on \d+ of your past turns /,
  );

  await expect.poll(async () => (await costs()).blocks[0].fields[0].value).toBeCloseTo(1.56);
  const { blocks } = await costs();
  expect(blocks[0]).toMatchObject({ title: 'Last turn', fields: expect.arrayContaining([{ label: 'Within the forecast', value: 'no' }]) });
  expect(blocks[1]).toMatchObject({ title: 'By purpose', rows: [{ cells: ['chat', 2, 2_000, 0, 200, expect.closeTo(1.56)] }] });
  expect(blocks[2]).toMatchObject({ title: 'By plugin', rows: [{ cells: ['agent', 2, 2_000, 0, 200, expect.closeTo(1.56)] }] });
  expect(blocks[3].rows.map(({ cells }: any) => cells[0])).toEqual(['I look. · calls list_dir', 'Done.']);
  expect(blocks[4].text).toMatch(/^In \d+ of the last \d+ forecasts/);
}, 60_000);

test('shows whether a running turn is on course', async () => {
  await history();
  const { open: release, opened: until } = createGate();
  model.push({ text: 'I look.', toolCalls: [{ name: 'list_dir', args: { path: '.' } }], usage: usage(0.4) }, { text: 'Done.', usage: usage(0.4), until });
  const running = runTurn(harness, 'audit the parser module for overflow bugs');
  await expect.poll(async () => (await costs()).blocks[0].fields?.[0]).toMatchObject({ label: 'Cost so far', value: 0.4 });
  expect((await costs()).blocks[1]).toMatchObject({ kind: 'progress', label: 'Within the forecast' });
  release();
  await running;
}, 60_000);

test('asks before an expensive turn, and sends no request if the user declines', async () => {
  await history();
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  await start({ AGENT_FORECAST_ASK_USD: '0.5' });
  const answer = async (text: string): Promise<void> => {
    const open = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.questions;
    await expect.poll(async () => (await open()).length).toBe(1);
    const [{ askId, prompt }] = await open();
    expect(prompt).toMatch(/^Likely cost of the turn: \$.* Start the turn\?$/);
    expect((await harness.call('POST', '/api/answer', { askId, answer: text })).status).toBe(200);
  };
  const asked = model.requests.length;
  const [stopped] = await Promise.all([runTurn(harness, 'audit the parser module for overflow bugs'), answer('Cancel')]);
  expect(model.requests.length).toBe(asked);
  expect(stopped.events.find(({ kind }) => kind === 'text')).toMatchObject({
    delta: expect.stringMatching(/^The turn was not started; its likely cost is \$/),
  });
  await Promise.all([turn('audit the parser module for overflow bugs', 1), answer('start')]);
  expect(model.requests.length).toBe(asked + 2);
  // A cheap turn starts immediately.
  await turn('greet neighbour Cy', 0.01);
}, 60_000);

test('returns the same forecast after a restart, stores no chat text, and deletes the data with the chat', async () => {
  await history();
  await turn('audit the parser module for overflow bugs', 1);
  const chatId = (await harness.call('GET', '/api/chats')).body.activeChatId as string;
  // The last turn may not be on disk yet.
  const text = 'audit the parser module for overflow bugs';
  await expect.poll(async () => (await ask(text)).turns).toBe(13);
  const before = await ask(text);
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  await start();
  expect(await ask(text)).toMatchObject({ unit: before.unit, turns: before.turns, likely: expect.closeTo(before.likely, 3) });

  const storedTurns = async (): Promise<string> => {
    const paths = (await readdir(home, { recursive: true })).filter((path) => /forecast.*turns(\.1)?\.jsonl$/.test(path));
    return (await Promise.all(paths.map((path) => readFile(join(home, path), 'utf8')))).join('');
  };
  expect(await storedTurns()).toContain(chatId);
  expect(await storedTurns()).not.toMatch(/parser|audit|overflow|greet/);
  expect((await harness.call('DELETE', `/api/chats/${chatId}`, {})).status).toBe(200);
  expect((await harness.call('DELETE', `/api/chats/trash/${chatId}`, {})).status).toBe(200);
  await expect.poll(storedTurns).not.toContain(chatId);
  expect(await ask(text)).toBeNull();
}, 60_000);

test('removes turns of chats erased while it was disabled, and keeps those of trashed and unreadable chats', async () => {
  const storedTurns = (): Promise<string> => readFile(join(home, 'plugin-data/forecast/turns.jsonl'), 'utf8');
  const again = async (builtins?: readonly string[]): Promise<void> => {
    expect(await harness.close({ keepFiles: true })).toEqual([]);
    await start({}, {}, builtins);
  };
  const [here, trashed, erased, broken] = await Promise.all(
    [1, 2, 3, 4].map(async () => (await harness.call('POST', '/api/chats', { activate: false })).body.chatId as string),
  );
  for (const chatId of [here, trashed, erased, broken] as string[])
    for (const index of [1, 2]) {
      model.push({ text: 'Yes.', usage: usage(0.5) });
      await runTurn(harness, `audit the parser module ${index}`, { chatId });
    }
  await expect.poll(async () => (await ask('audit the parser module'))?.turns).toBe(8);

  await again(['model-chat-completions', 'files', 'plan']);
  for (const chatId of [trashed, erased]) expect((await harness.call('DELETE', `/api/chats/${chatId}`, {})).status).toBe(200);
  expect((await harness.call('DELETE', `/api/chats/trash/${erased}`, {})).status).toBe(200);
  await again();
  await writeFile(join(home, 'chats', broken as string, 'meta.json'), 'torn');
  expect(await storedTurns()).toContain(erased);
  expect(await ask('audit the parser module')).toMatchObject({ turns: 6 });
  const rows = (await storedTurns()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).chatId]));
  expect(rows.sort()).toEqual([here, here, trashed, trashed, broken, broken].sort());
}, 60_000);

test('forecasts tokens when the provider reports no cost, and /forecast returns the same', async () => {
  for (let index = 0; index < 6; index++) {
    model.push({ text: 'Yes.', usage: { input: 1_000 * (index + 1), output: 50 } });
    await runTurn(harness, `count the ships of fleet ${index}`);
  }
  await expect.poll(async () => (await ask('count the ships'))?.turns).toBe(6);
  expect(await ask('count the ships')).toMatchObject({ unit: 'tokens' });
  const { events } = await runTurn(harness, '/forecast count the ships of fleet 9');
  expect(events.find(({ kind }) => kind === 'text')).toMatchObject({
    delta: expect.stringMatching(/^Likely cost of the turn: [\d,]+ tokens; .* Based on 6 of your past turns/),
  });
  // A command sends no model request, so it does not count as a turn.
  expect(await ask('count the ships')).toMatchObject({ turns: 6 });
});

test('forecasts the cost of a presented plan before its approval', async () => {
  await history();
  const { activeChatId: chatId } = (await harness.call('GET', '/api/chats')).body;
  await harness.call('PATCH', `/api/chats/${chatId}`, { mode: 'plan' });
  model.push(
    { toolCalls: [{ name: 'present_plan', args: { plan: '1. Audit the parser module for overflow bugs.' } }], usage: usage(0.02) },
    { text: 'Done.', usage: usage(0.9) },
  );
  const approving = (async () => {
    const open = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals;
    await expect.poll(async () => (await open()).length).toBe(1);
    const [{ approvalId }] = await open();
    expect((await harness.call('POST', '/api/approve', { approvalId, decision: 'approve' })).status).toBe(200);
  })();
  const [{ events }] = await Promise.all([runTurn(harness, 'please do as agreed'), approving]);
  const said = forecastsIn(events).find(({ phase }) => phase === 'plan');
  expect(said).toMatchObject({ unit: 'usd', soFar: expect.closeTo(0.02) });
  expect(said.likely).toBeGreaterThan(0.7);
  expect(said.shown.text).toMatch(
    /^Likely total cost of the turn with this plan: \$.* Based on \d+ of your past turns that cost at least this much.* Cost so far: \$0\.0200\.$/,
  );
  // Emitted before the approval request.
  expect(events.indexOf(said)).toBeLessThan(events.findIndex(({ kind }) => kind === 'tool_approval'));
}, 60_000);

test('shows the weekly forecast of scheduled work', async () => {
  const rows = Array.from({ length: 20 }, (_, day) => ({
    ...{ at: new Date(Date.now() - (day + 1) * 86_400_000).toISOString(), input: 1_000, output: 100, cached: 0, cost: 0.01, model: 'scripted' },
    ...{ purpose: 'think', plugin: 'thinker' },
  }));
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  await writeFile(join(home, 'usage.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const thinker = {
    manifest: { name: 'thinker' },
    register: (registry: any) => registry.add('job', { name: 'think', when: { cron: '0 4 * * *' }, run: () => undefined }),
  };
  await start({}, { thinker });
  const week = (await costs()).blocks.find(({ title = '' }: any) => title.startsWith('Likely weekly cost of background work'));
  expect(week.rows).toEqual([{ cells: ['thinker', '0 4 * * *', '$0.0700', '$0.0700 to $0.0700', 20] }]);
});
