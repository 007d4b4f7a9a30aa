// Builds the usage view: sums of the filtered model calls, in total, over time and by purpose.
import type { ViewContribution, ViewInput, ViewValues } from 'agent-harness/plugins/views';
import type { UsageFilter, UsageRow } from './contract.ts';
import type { Spending } from './spending/spending.ts';
import { barsOf, hourOf } from './usage-bars.ts';
import { budgetTable, chatTable, groupTable, spanTable, sumFields, timeBlocks } from './usage-blocks.ts';
import { addRow, newGroup, noSums, sumsOf, sumUsage, type Sums } from './usage-sums.ts';

const dayMs = 86_400_000;
const usualDays = 7;
const usualRows = 20;
const mostRows = 300;
/** Time spans in days that the view lists with their sums, regardless of the filter. 0 is all time. */
const spans = [1, 7, 30, 0] as const;

const name = { type: 'string', maxLength: 200 } as const;
const parameters: ViewInput = {
  title: /* t */ 'Filter',
  type: 'object',
  properties: {
    days: {
      ...{ type: 'integer', title: /* t */ 'Days', minimum: 0, maximum: 36_500, default: usualDays },
      description: /* t */ 'Number of days up to today. 0: all days.',
    },
    chat: { ...name, title: /* t */ 'Chat', format: 'chat' },
    purpose: { ...name, title: /* t */ 'Purpose' },
    plugin: { ...name, title: /* t */ 'Plugin' },
    model: { ...name, title: /* t */ 'Model' },
    rows: { type: 'integer', title: /* t */ 'Rows per table', minimum: 1, maximum: mostRows, default: usualRows },
  },
};

export interface UsageViewParts {
  /** Yields the rows that match the filter, oldest first. */
  readonly read: (filter: UsageFilter) => AsyncIterable<UsageRow>;
  readonly spending: Pick<Spending, 'states'>;
  /** Returns the titles of existing chats by id; `undefined` for callers without the permission to read chats. */
  readonly titles: (asker: Parameters<ViewContribution['read']>[0]) => Promise<ReadonlyMap<string, string> | undefined>;
  readonly now?: () => number;
}

export function usageView({ read, spending, titles, now = Date.now }: UsageViewParts): ViewContribution {
  const dayBefore = (days: number): string => new Date(now() - days * dayMs).toISOString().slice(0, 10);

  return {
    name: 'usage',
    title: /* t */ 'Usage',
    description: /* t */ 'Tokens, cost and budgets of the model calls of this machine. The data stays on this machine.',
    icon: 'chart',
    permission: 'usage.read',
    parameters,
    changesOn: ['usage', 'turn_end'],
    async read(asker) {
      const given = asker.parameters;
      const { days, rows } = { days: usualDays, rows: usualRows, ...(given as { readonly days?: number; readonly rows?: number }) };
      const sinceOf = (span: number): string => (span === 0 ? '' : dayBefore(span - 1));
      const since = sinceOf(days);
      const bySpan = spans.map((span): { readonly span: number; readonly since: string; readonly sums: Sums } => ({
        span,
        since: sinceOf(span),
        sums: noSums(),
      }));
      const byHour = newGroup();

      /** Yields the rows of the displayed span, and sums all spans at the same time. */
      async function* shown(): AsyncGenerator<UsageRow> {
        for await (const row of read(filterOf(given))) {
          for (const one of bySpan) if (row.at >= one.since) addRow(one.sums, row);
          if (row.at < since) continue;
          if (days === 1) addRow(sumsOf(byHour, hourOf(row.at)), row);
          yield row;
        }
      }

      const { totals, byDay, byChat, byPurpose, byModel, byPlugin } = await sumUsage(shown());
      const caps = (await spending.states(textOf(given, 'chat') ?? asker.chatId)).filter(({ limit }) => limit > 0);
      const bars = barsOf({ byDay, byHour, days, today: dayBefore(0), since });
      const table = { rows, mostRows, given };
      return {
        blocks: [
          sumFields(totals),
          ...(caps.length === 0 ? [] : [budgetTable(caps)]),
          spanTable(bySpan, days),
          ...(totals.calls === 0
            ? [{ kind: 'text' as const, isPlain: true, text: /* t */ 'No model calls in this period. Choose more days, or send a message.' }]
            : [
                ...timeBlocks(bars),
                chatTable(byChat, await titles(asker), table),
                groupTable({ title: /* t */ 'By purpose', first: /* t */ 'Purpose', parameter: 'purpose' }, byPurpose, table),
                groupTable({ title: /* t */ 'By model', first: /* t */ 'Model', parameter: 'model' }, byModel, table),
                groupTable({ title: /* t */ 'By plugin', first: /* t */ 'Plugin', parameter: 'plugin' }, byPlugin, table),
              ]),
        ],
      };
    },
  };
}

function filterOf(given: ViewValues): UsageFilter {
  const wanted = { chatId: textOf(given, 'chat'), purpose: textOf(given, 'purpose'), plugin: textOf(given, 'plugin'), model: textOf(given, 'model') };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/** Returns the entered value; `undefined` for an empty field. */
function textOf(given: ViewValues, field: string): string | undefined {
  const value = given[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
