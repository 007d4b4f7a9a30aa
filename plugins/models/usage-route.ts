// `GET /api/usage`: what model calls cost, by chat, purpose and day.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { ModelUsage, UsageRow } from './contract.ts';
import type { UsageFilter } from './usage-log.ts';

/** The totals count all rows; of the rows themselves only the newest leave the server. */
const maxRows = 1_000;

const count = Type.Integer({ minimum: 0 });
const tokens = { input: count, output: count, cached: count };
const sums = Type.Object({ calls: count, ...tokens, cost: Type.Number({ description: 'USD, as far as the provider says.' }) });
type Sums = Type.Static<typeof sums>;

const schema = {
  query: Type.Object(
    {
      since: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$', description: 'ISO 8601.' })),
      chatId: Type.Optional(Type.String({ pattern: '^chat_[0-9A-HJKMNP-TV-Z]{26}$' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    rows: Type.Array(
      Type.Object({
        at: Type.String(),
        purpose: Type.String(),
        model: Type.String(),
        chatId: Type.Optional(Type.String()),
        turnId: Type.Optional(Type.String()),
        ...tokens,
        cost: Type.Optional(Type.Number()),
      }),
      { description: `The newest ${maxRows}, newest last.` },
    ),
    totals: sums,
    byChat: Type.Record(Type.String(), sums),
    byPurpose: Type.Record(Type.String(), sums),
    byDay: Type.Record(Type.String(), sums),
  }),
};

export function usageRoute(read: (filter: UsageFilter) => AsyncIterable<UsageRow>): Route<typeof schema> {
  return {
    key: 'GET /api/usage',
    summary: 'Tokens and cost of model calls, by chat, purpose and day.',
    tag: 'models',
    schema,
    async handle({ query }) {
      const reply = {
        rows: [] as UsageRow[],
        totals: noSums(),
        byChat: new Map<string, Sums>(),
        byPurpose: new Map<string, Sums>(),
        byDay: new Map<string, Sums>(),
      };
      for await (const row of read(query)) {
        reply.rows.push(row);
        if (reply.rows.length >= 2 * maxRows) reply.rows.splice(0, maxRows);
        add(reply.totals, row);
        if (row.chatId !== undefined) add(sumsOf(reply.byChat, row.chatId), row);
        add(sumsOf(reply.byPurpose, row.purpose), row);
        add(sumsOf(reply.byDay, row.at.slice(0, 10)), row);
      }
      const { byChat, byPurpose, byDay } = reply;
      return {
        rows: reply.rows.slice(-maxRows),
        totals: reply.totals,
        byChat: Object.fromEntries(byChat),
        byPurpose: Object.fromEntries(byPurpose),
        byDay: Object.fromEntries(byDay),
      };
    },
  };
}

function sumsOf(group: Map<string, Sums>, key: string): Sums {
  let found = group.get(key);
  if (!found) group.set(key, (found = noSums()));
  return found;
}

function add(target: Sums, row: ModelUsage): void {
  target.calls += 1;
  target.input += row.input;
  target.output += row.output;
  target.cached += row.cached;
  target.cost += row.cost ?? 0;
}

const noSums = (): Sums => ({ calls: 0, input: 0, output: 0, cached: 0, cost: 0 });
