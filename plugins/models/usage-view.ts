// What model calls took, as a view: for clients that have no page of their own for it.
import type { Block, ViewContribution } from 'agent-harness/plugins/views';
import type { UsageRow } from './contract.ts';
import type { Spending } from './spending/spending.ts';
import type { UsageFilter } from './usage-log.ts';
import { sumUsage, type Group } from './usage-sums.ts';

const shownDays = 14;
const shownModels = 20;
const dayMs = 86_400_000;

export function usageView(read: (filter: UsageFilter) => AsyncIterable<UsageRow>, spending: Pick<Spending, 'states'>, now = Date.now): ViewContribution {
  return {
    name: 'usage',
    title: 'Usage',
    description: `What the model calls of the last ${shownDays} days took.`,
    icon: 'chart',
    // The page has one of its own, for any time and by chat.
    place: 'none',
    permission: 'usage.read',
    changesOn: ['usage'],
    async read({ chatId }) {
      const days = Array.from({ length: shownDays }, (_, at) => new Date(now() - (shownDays - 1 - at) * dayMs).toISOString().slice(0, 10));
      const [since = ''] = days;
      const { totals, byDay, byModel } = await sumUsage(read({ since }));
      const caps = (await spending.states(chatId)).filter(({ limit }) => limit > 0);
      return {
        blocks: [
          {
            kind: 'fields',
            fields: [
              { label: 'Tokens in', value: totals.input, kind: 'number' },
              { label: 'Of them cached', value: totals.cached, kind: 'number' },
              { label: 'Tokens out', value: totals.output, kind: 'number' },
              { label: 'Cost', value: totals.cost > 0 ? totals.cost : null, kind: 'money' },
              { label: 'Model calls', value: totals.calls, kind: 'number' },
            ],
          },
          daysChart(days, byDay),
          modelTable(byModel),
          ...caps.map(({ name, limit, spent }): Block => {
            return { kind: 'progress', label: `Budget ${name}`, value: Math.min(1, spent / limit), detail: `$${spent.toFixed(2)} of $${limit.toFixed(2)}` };
          }),
        ],
      };
    },
  };
}

function daysChart(days: readonly string[], byDay: Group): Block {
  const sums = days.map((day) => byDay.get(day));
  return {
    kind: 'chart',
    title: 'Tokens by day (UTC)',
    form: 'bars',
    labels: days.map((day) => day.slice(5)),
    series: [
      { title: 'Input, cached', values: sums.map((one) => one?.cached ?? 0) },
      { title: 'Input', values: sums.map((one) => Math.max(0, (one?.input ?? 0) - (one?.cached ?? 0))) },
      { title: 'Output', values: sums.map((one) => one?.output ?? 0) },
    ],
  };
}

function modelTable(byModel: Group): Block {
  const models = [...byModel].sort(([, left], [, right]) => right.input + right.output - left.input - left.output).slice(0, shownModels);
  return {
    kind: 'table',
    title: 'By model',
    columns: [
      { title: 'Model' },
      { title: 'Calls', kind: 'number' },
      { title: 'In', kind: 'number' },
      { title: 'Out', kind: 'number' },
      { title: 'Cost', kind: 'money' },
    ],
    rows: models.map(([model, { calls, input, output, cost }]) => ({ cells: [model, calls, input, output, cost > 0 ? cost : null] })),
  };
}
