// Serves `GET /api/usage`: returns the cost of model calls by chat, turn, purpose, plugin and day.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { UsageFilter, UsageRow } from './contract.ts';
import { remainingAmount } from './spending/remaining-amount.ts';
import type { Spending } from './spending/spending.ts';
import { maxRows, sumUsage } from './usage-sums.ts';

const count = Type.Integer({ minimum: 0 });
const tokens = { input: count, output: count, cached: count };
const sums = Type.Object({ calls: count, ...tokens, cost: Type.Number({ description: 'Cost in USD that the provider reported.' }) });

const schema = {
  query: Type.Object(
    {
      since: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$', description: 'Start of the period, ISO 8601.' })),
      chatId: Type.Optional(Type.String({ pattern: '^chat_[0-9A-HJKMNP-TV-Z]{26}$' })),
      turnId: Type.Optional(
        Type.String({ pattern: '^turn_[0-9A-HJKMNP-TV-Z]{26}$', description: 'Id of a turn: returns only its calls, including those of its tasks.' }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({
        at: Type.String(),
        purpose: Type.String(),
        plugin: Type.Optional(Type.String()),
        model: Type.String(),
        chatId: Type.Optional(Type.String()),
        turnId: Type.Optional(Type.String()),
        ...tokens,
        cost: Type.Optional(Type.Number()),
        estimate: Type.Optional(Type.Number({ description: 'Estimated cost in USD, if the provider reported no cost.' })),
      }),
      { description: `The newest ${maxRows} calls, newest last.` },
    ),
    totals: sums,
    byChat: Type.Record(Type.String(), sums),
    byTurn: Type.Record(Type.String(), sums, { description: `The newest ${maxRows} turns.` }),
    byPurpose: Type.Record(Type.String(), sums),
    byPlugin: Type.Record(Type.String(), sums),
    byDay: Type.Record(Type.String(), sums, { description: 'Sums by day (UTC).' }),
    caps: Type.Array(
      Type.Object({
        name: Type.String(),
        per: Type.Union([Type.Literal('day'), Type.Literal('chat')]),
        source: Type.String({ description: 'Name of the variable that sets the limit.' }),
        limit: Type.Number({ description: 'Limit in USD; 0: no limit.' }),
        spent: Type.Number({ description: 'Amount in USD spent today or in the chat, including estimates.' }),
        held: Type.Number({ description: 'Amount in USD reserved for running calls.' }),
        left: Type.Optional(Type.Number({ description: 'Remaining amount in USD; omitted without a limit.' })),
        resetsAt: Type.Optional(Type.String({ description: 'Time at which a daily budget is reset, ISO 8601.' })),
      }),
      { description: 'Current state of the budgets, regardless of `since`; with `chatId`, including those of the chat.' },
    ),
  }),
};

export function usageRoute(read: (filter: UsageFilter) => AsyncIterable<UsageRow>, spending: Pick<Spending, 'states'>): Route<typeof schema> {
  return {
    key: 'GET /api/usage',
    summary: 'Returns the tokens and the cost of model calls, by chat, turn, purpose, plugin and day.',
    tag: 'models',
    permission: 'usage.read',
    schema,
    async handle({ query }) {
      const { rows, totals, byChat, byTurn, byPurpose, byPlugin, byDay } = await sumUsage(read(query));
      return {
        rows: [...rows],
        totals,
        byChat: Object.fromEntries(byChat),
        byTurn: Object.fromEntries(byTurn),
        byPurpose: Object.fromEntries(byPurpose),
        byPlugin: Object.fromEntries(byPlugin),
        byDay: Object.fromEntries(byDay),
        caps: (await spending.states(query.chatId)).map((state) => ({
          ...state,
          ...(state.limit > 0 ? { left: remainingAmount(state) } : {}),
        })),
      };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/usage': typeof schema;
  }
}
