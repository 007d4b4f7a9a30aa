// Builds the blocks of the usage view: fields with sums, tables and a chart. Pure.
import type { Block, ViewValues } from 'agent-harness/plugins/views';
import type { SpendingState } from './contract.ts';
import { remainingAmount } from './spending/remaining-amount.ts';
import type { Bars } from './usage-bars.ts';
import { addSums, noSums, type Group, type Sums } from './usage-sums.ts';

type Table = Extract<Block, { kind: 'table' }>;
type Row = Table['rows'][number];
type Column = Table['columns'][number];

/** Row limits of the tables, and the current filter of the view. */
export interface TableLook {
  readonly rows: number;
  readonly mostRows: number;
  readonly given: ViewValues;
}

export interface GroupLook {
  readonly title: string;
  /** Title of the first column. */
  readonly first: string;
  /** Name of the filter parameter that a click on a row sets. */
  readonly parameter: string;
}

const sumColumns: readonly Column[] = [
  { title: /* t */ 'Calls', kind: 'number' },
  { title: /* t */ 'In', kind: 'number' },
  { title: /* t */ 'Cached', kind: 'number' },
  { title: /* t */ 'Out', kind: 'number' },
  { title: /* t */ 'Cost', kind: 'money' },
];
const share: Column = { title: /* t */ 'Share', kind: 'share' };

/** Returns the block with the totals. */
export function sumFields({ input, cached, output, cost, calls }: Sums): Block {
  return {
    kind: 'fields',
    fields: [
      { label: /* t */ 'Tokens in', value: input, kind: 'number' },
      { label: /* t */ 'Cached tokens in', value: cached, kind: 'number' },
      { label: /* t */ 'Tokens out', value: output, kind: 'number' },
      { label: /* t */ 'Known cost', value: costOf(cost), kind: 'money' },
      { label: /* t */ 'Model calls', value: calls, kind: 'number' },
    ],
  };
}

/** Returns the table of budgets with their current state. */
export function budgetTable(caps: readonly SpendingState[]): Block {
  return {
    kind: 'table',
    title: /* t */ 'Budgets',
    columns: [
      { title: /* t */ 'Budget' },
      { title: /* t */ 'Used', kind: 'share' },
      { title: /* t */ 'Spent', kind: 'money' },
      { title: /* t */ 'Limit', kind: 'money' },
      { title: /* t */ 'Remaining', kind: 'money' },
      { title: /* t */ 'Resets', kind: 'time' },
      { title: /* t */ 'Set by' },
    ],
    rows: caps.map((cap): Row => {
      const { name, limit, spent, resetsAt = null, source } = cap;
      return { cells: [name, Math.min(1, spent / limit), spent, limit, remainingAmount(cap), resetsAt, source] };
    }),
  };
}

const spanTitles: ReadonlyMap<number, string> = new Map([
  [1, /* t */ 'Today'],
  [7, /* t */ '7 days'],
  [30, /* t */ '30 days'],
  [0, /* t */ 'All'],
]);

/** Returns the table of time spans. @param days span of the view, whose row has no link */
export function spanTable(spans: readonly { readonly span: number; readonly sums: Sums }[], days: number): Block {
  return {
    kind: 'table',
    title: /* t */ 'By time',
    columns: [{ title: /* t */ 'Range' }, ...sumColumns],
    rows: spans.map(({ span, sums }): Row => {
      const cells = [spanTitles.get(span) ?? String(span), ...cellsOf(sums)];
      return span === days ? { cells } : { cells, opens: { parameters: { days: span } } };
    }),
  };
}

const timeTitles: Readonly<Record<Bars['by'], readonly [chart: string, table: string, first: string]>> = {
  hour: [/* t */ 'Tokens by hour (UTC)', /* t */ 'By hour (UTC)', /* t */ 'Hour'],
  day: [/* t */ 'Tokens by day (UTC)', /* t */ 'By day (UTC)', /* t */ 'Day'],
  week: [/* t */ 'Tokens by week (UTC)', /* t */ 'By week (UTC)', /* t */ 'Week from'],
  month: [/* t */ 'Tokens by month (UTC)', /* t */ 'By month (UTC)', /* t */ 'Month'],
};

/** Returns a chart of the tokens, and a table of the buckets with calls. */
export function timeBlocks({ by, bars }: Bars): [Block, Block] {
  const [chart, table, first] = timeTitles[by];
  const kind = by === 'day' || by === 'week' ? 'time' : 'text';
  return [
    {
      kind: 'chart',
      title: chart,
      form: 'bars',
      labels: bars.map(({ label }) => label),
      labelKind: kind,
      // Cached tokens are part of the input.
      series: [
        { title: /* t */ 'Input, cached', values: bars.map(({ sums }) => Math.min(sums.cached, sums.input)) },
        { title: /* t */ 'Input', values: bars.map(({ sums }) => Math.max(0, sums.input - sums.cached)) },
        { title: /* t */ 'Output', values: bars.map(({ sums }) => sums.output) },
      ],
    },
    {
      kind: 'table',
      title: table,
      columns: [{ title: first, kind }, ...sumColumns],
      rows: bars.filter(({ sums }) => sums.calls > 0).map(({ label, sums }) => ({ cells: [label, ...cellsOf(sums)] })),
    },
  ];
}

/** Returns the table of chats, in which deleted chats share one row. @param titles titles of the existing chats; omitted without the permission to read them */
export function chatTable(byChat: Group, titles: ReadonlyMap<string, string> | undefined, look: TableLook): Block {
  const there: [string, Sums][] = [];
  const gone = noSums();
  for (const [chatId, sums] of byChat) {
    if (titles === undefined || titles.has(chatId)) there.push([chatId, sums]);
    else addSums(gone, sums);
  }
  const rowOf = (chatId: string): Pick<Row, 'opens'> & { readonly name: string } =>
    titles === undefined ? { name: chatId } : { name: titles.get(chatId)?.slice(0, 200) || /* t */ 'Untitled chat', opens: { chat: chatId } };
  return tableOf({ title: /* t */ 'By chat', first: /* t */ 'Chat' }, there, look, rowOf, gone.calls > 0 ? [[/* t */ 'Deleted chats', gone]] : []);
}

/** Returns the table of one dimension, such as the purpose of calls. */
export function groupTable({ title, first, parameter }: GroupLook, group: Group, look: TableLook): Block {
  const isChosen = (look.given[parameter] ?? '') !== '';
  return tableOf({ title, first }, [...group], look, (key) => ({
    name: key.slice(0, 200),
    ...(isChosen ? {} : { opens: { parameters: { [parameter]: key } } }),
  }));
}

/** Returns the rows with the most tokens, then the sum of all others, with a link to all of them. */
function tableOf(
  { title, first }: Pick<GroupLook, 'title' | 'first'>,
  group: readonly (readonly [string, Sums])[],
  { rows, mostRows }: TableLook,
  rowOf: (key: string) => Pick<Row, 'opens'> & { readonly name: string },
  more: readonly (readonly [string, Sums])[] = [],
): Block {
  const all = [...group.map(([, sums]) => sums), ...more.map(([, sums]) => sums)].reduce((sum, one) => sum + tokensOf(one), 0);
  const cells = (name: string, sums: Sums): Row['cells'] => [name, all === 0 ? null : tokensOf(sums) / all, ...cellsOf(sums)];
  const ranked = group.toSorted(([a, left], [b, right]) => tokensOf(right) - tokensOf(left) || (a < b ? -1 : 1));
  const others = noSums();
  for (const [, sums] of ranked.slice(rows)) addSums(others, sums);
  return {
    kind: 'table',
    title,
    columns: [{ title: first }, share, ...sumColumns],
    rows: [
      ...ranked.slice(0, rows).map(([key, sums]): Row => {
        const { name, opens } = rowOf(key);
        return { cells: cells(name, sums), ...(opens ? { opens } : {}) };
      }),
      ...more.map(([name, sums]): Row => ({ cells: cells(name, sums) })),
      ...(ranked.length <= rows
        ? []
        : [{ cells: cells(/* t */ 'All others', others), ...(rows < mostRows ? { opens: { parameters: { rows: mostRows } } } : {}) } satisfies Row]),
    ],
  };
}

function cellsOf({ calls, input, cached, output, cost }: Sums): (number | null)[] {
  return [calls, input, cached, output, costOf(cost)];
}

/** Returns the cost in USD; `null` for 0, which means that the provider reported no cost. */
function costOf(cost: number): number | null {
  return cost > 0 ? cost : null;
}

function tokensOf({ input, output }: Sums): number {
  return input + output;
}
