// Tests the usage view: time spans and bars, row links, filters, budgets, and titles only for permitted viewers.
import { beforeEach, expect, test } from 'vitest';
import type { UsageFilter, UsageRow } from '../../../../plugins/models/contract.ts';
import { pluginOf } from '../../../../plugins/models/usage-log.ts';
import { usageView } from '../../../../plugins/models/usage-view.ts';
import { createViewChecks } from '../../../../plugins/views/check-view.ts';
import { viewText } from '../../../../plugins/views/view.ts';

const now = Date.parse('2026-11-21T07:00:00Z');
const dayMs = 86_400_000;
const checks = createViewChecks();
let rows: UsageRow[];
let filters: UsageFilter[];
let titles: ReadonlyMap<string, string> | undefined;
beforeEach(() => {
  rows = [];
  filters = [];
  titles = new Map();
});

const row = (at: string, more: Partial<UsageRow> = {}): UsageRow => ({ at, purpose: 'chat', model: 'm', input: 10, output: 1, cached: 4, ...more });
const ago = (days: number, more: Partial<UsageRow> = {}): UsageRow => row(new Date(now - days * dayMs).toISOString(), more);
const state = { name: 'day', per: 'day', source: 'AGENT_BUDGET_USD_PER_DAY', limit: 2, spent: 0.5, held: 0.25, resetsAt: '2026-11-22T00:00:00.000Z' } as const;

async function* read(filter: UsageFilter): AsyncIterable<UsageRow> {
  filters.push(filter);
  for (const one of rows) if (filter.plugin === undefined || pluginOf(one) === filter.plugin) yield one;
}

async function shown(given: object = {}, chatId?: string): Promise<any> {
  const asked: (string | undefined)[] = [];
  const spending = { states: async (id?: string) => (asked.push(id), [state, { ...state, name: 'none', limit: 0 }]) };
  const view = usageView({ read, spending, titles: async () => titles, now: () => now });
  const filled = checks.fillIn({ id: 'usage', ...(view.parameters ? { input: view.parameters } : {}) }, given);
  if ('problem' in filled) throw new Error(filled.problem);
  const { blocks } = await view.read({ parameters: filled.values, ...(chatId === undefined ? {} : { chatId }) });
  expect(checks.findFault({ blocks })).toBeUndefined();
  const of = (title: string): any => blocks.find((block) => block.title === title);
  return { blocks, of, chart: blocks.find(({ kind }) => kind === 'chart'), asked };
}
const sum = (values: readonly number[]): number => values.reduce((one, more) => one + more, 0);

test('a week has seven bars, including days without calls, and a table of days with calls', async () => {
  rows = [row('2026-11-14T23:59:59.9Z'), row('2026-11-20T05:00:00.0Z', { cost: 0.5 })];
  const { chart, of, blocks } = await shown();
  expect(chart).toMatchObject({ title: 'Tokens by day (UTC)', labelKind: 'time' });
  expect(chart.labels).toEqual(['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`));
  expect(chart.series.map(({ values }: any) => values[5])).toEqual([4, 6, 1]);
  expect(of('By day (UTC)').rows).toEqual([{ cells: ['2026-11-20', 1, 10, 4, 1, 0.5] }]);
  expect(blocks[0].fields.map(({ value }: any) => value)).toEqual([10, 4, 1, 0.5, 1]);
});

test('cached tokens are part of the input, even if the provider reports more', async () => {
  rows = [ago(0, { input: 10, cached: 40 })];
  expect((await shown()).chart.series.map(({ values }: any) => values.at(-1))).toEqual([10, 0, 1]);
});

test('each span has its sums and a link, except the current one', async () => {
  rows = [ago(400), ago(29), ago(6), ago(1), ago(0)];
  const table = (await shown()).of('By time');
  expect(table.rows.map(({ cells, opens }: any) => [cells[0], cells[1], opens?.parameters.days])).toEqual([
    ['Today', 1, 1],
    ['7 days', 3, undefined],
    ['30 days', 4, 30],
    ['All', 5, 0],
  ]);
  expect((await shown({ days: 30 })).blocks[0].fields.at(-1).value).toBe(4);
});

test('a single day is shown by hour and includes all of 5,000 calls', async () => {
  rows = [row('2026-11-20T06:00:00.0Z'), row('2026-11-21T05:59:59.9Z'), ...Array.from({ length: 5_000 }, () => row('2026-11-21T06:00:00.0Z', { output: 0 }))];
  const { chart } = await shown({ days: 1 });
  expect([chart.title, chart.labels.length, chart.labels[6]]).toEqual(['Tokens by hour (UTC)', 24, '06:00']);
  expect([chart.series[2].values[5], chart.series[0].values[6]]).toEqual([1, 20_000]);
});

test('the full history uses days, weeks or months without losing tokens', async () => {
  for (const [days, title] of [
    [3, 'Tokens by day (UTC)'],
    [100, 'Tokens by week (UTC)'],
    [2_000, 'Tokens by month (UTC)'],
  ] as const) {
    rows = [ago(days), ago(days / 2), ago(0)];
    const { chart } = await shown({ days: 0 });
    expect(chart.title).toBe(title);
    expect(chart.labels.length).toBeLessThanOrEqual(70);
    expect(sum(chart.series.flatMap(({ values }: any) => values))).toBe(33);
    expect(chart.series[2].values.at(0) + chart.series[2].values.at(-1)).toBe(2);
  }
  rows = [];
  expect((await shown({ days: 0 })).blocks.at(-1)).toMatchObject({ kind: 'text', text: expect.stringMatching(/^No model calls in this period/) });
});

test('chat rows link to the chat, deleted chats are combined, and other rows link to their filter', async () => {
  titles = new Map([
    ['chat_1', 'Oak'],
    ['chat_2', ''],
  ]);
  rows = [
    ago(0, { chatId: 'chat_1', input: 30 }),
    ago(0, { chatId: 'chat_2', purpose: 'title' }),
    ago(0, { chatId: 'chat_3', plugin: 'dream', model: 'n' }),
    ago(0, { chatId: 'chat_4' }),
  ];
  const { of } = await shown();
  expect(of('By chat').rows.map(({ cells, opens }: any) => [cells[0], cells[2], opens])).toEqual([
    ['Oak', 1, { chat: 'chat_1' }],
    ['Untitled chat', 1, { chat: 'chat_2' }],
    ['Deleted chats', 2, undefined],
  ]);
  expect(sum(of('By chat').rows.map(({ cells }: any) => cells[1]))).toBeCloseTo(1);
  expect(of('By purpose').rows[0]).toMatchObject({ cells: ['chat', 53 / 64, 3, 50, 12, 3, null], opens: { parameters: { purpose: 'chat' } } });
  expect(of('By model').rows[1].opens).toEqual({ parameters: { model: 'n' } });
  expect(of('By plugin').rows.map(({ opens }: any) => opens.parameters.plugin)).toEqual(['agent', 'dream']);
});

test('the selected filter is passed to the log, and a selected kind has no link', async () => {
  rows = [ago(0), ago(0, { plugin: 'dream' })];
  const { of, blocks, asked } = await shown({ chat: 'chat_1', purpose: 'chat', plugin: 'agent', model: 'm' }, 'chat_2');
  expect(filters).toEqual([{ chatId: 'chat_1', purpose: 'chat', plugin: 'agent', model: 'm' }]);
  expect(of('By plugin').rows).toEqual([{ cells: ['agent', 1, 1, 10, 4, 1, null] }]);
  expect(blocks[0].fields.at(-1).value).toBe(1);
  expect(asked).toEqual(['chat_1']);
  expect((await shown({ chat: '', plugin: '' }, 'chat_2')).asked).toEqual(['chat_2']);
  expect(filters.at(-1)).toEqual({});
});

test('of many rows the largest are shown, followed by a sum of the others that links to all', async () => {
  rows = Array.from({ length: 400 }, (_, at) => ago(0, { model: `model-${at}`, input: at }));
  const { rows: shownRows } = (await shown()).of('By model');
  expect([shownRows.length, shownRows[0].cells[0]]).toEqual([21, 'model-399']);
  expect(shownRows[20]).toMatchObject({
    cells: ['All others', expect.any(Number), 380, (379 * 380) / 2, 1_520, 380, null],
    opens: { parameters: { rows: 300 } },
  });
  const most = (await shown({ rows: 300 })).of('By model').rows;
  expect([most.length, most.at(-1).opens]).toEqual([301, undefined]);
});

test('the view stays within its limits for 10,000 chats, models, purposes and plugins', async () => {
  titles = new Map(Array.from({ length: 10_000 }, (_, at) => [`chat_01J${String(at).padStart(23, '0')}`, 'A title of a chat '.repeat(20)]));
  const long = (at: number): string => `${at}-a-name-that-somebody-gave-at-length`;
  rows = [...titles.keys()].map((chatId, at) => ago(at % 400, { chatId, model: long(at), purpose: long(at), plugin: long(at), cost: 0.123_456_789 }));
  await shown({ days: 0, rows: 300 });
});

test('budgets show the remaining amount and the reset time', async () => {
  const { of } = await shown();
  expect(of('Budgets').rows).toEqual([{ cells: ['day', 0.25, 0.5, 2, 1.25, '2026-11-22T00:00:00.000Z', 'AGENT_BUDGET_USD_PER_DAY'] }]);
});

test('a viewer without chat permission gets chat ids without titles and links', async () => {
  titles = undefined;
  rows = [ago(0, { chatId: 'chat_1' })];
  expect((await shown()).of('By chat').rows).toEqual([{ cells: ['chat_1', 1, 1, 10, 4, 1, null] }]);
});

test('renders shares and days as text lines', async () => {
  rows = [ago(1, { cost: 0.25 }), ago(0, { model: 'other', input: 32 })];
  const { blocks } = await shown({ days: 2 });
  const text = viewText({ name: 'usage', title: 'Usage', blocks }, { columns: 80 });
  expect(text.slice(text.indexOf('Tokens by day')).replaceAll(/ +$/gm, '')).toMatchSnapshot();
});
