// `GET /api/usage`: what model calls cost, by chat, turn, purpose, plugin and day.
import { BoundedMap } from 'agent-harness/lib/values';
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { ModelUsage, UsageRow } from './contract.ts';
import type { Spending } from './spending/spending.ts';
import type { UsageFilter } from './usage-log.ts';

/** The totals count all rows; of the rows themselves, and of the turns, only the newest leave the server. */
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
        plugin: Type.Optional(Type.String()),
        model: Type.String(),
        chatId: Type.Optional(Type.String()),
        turnId: Type.Optional(Type.String()),
        ...tokens,
        cost: Type.Optional(Type.Number()),
        estimate: Type.Optional(Type.Number({ description: 'USD by the price of the model, where the provider says none.' })),
      }),
      { description: `The newest ${maxRows}, newest last.` },
    ),
    totals: sums,
    byChat: Type.Record(Type.String(), sums),
    byTurn: Type.Record(Type.String(), sums, { description: `The newest ${maxRows}.` }),
    byPurpose: Type.Record(Type.String(), sums),
    byPlugin: Type.Record(Type.String(), sums),
    byDay: Type.Record(Type.String(), sums, { description: 'Days of UTC.' }),
    caps: Type.Array(
      Type.Object({
        name: Type.String(),
        per: Type.Union([Type.Literal('day'), Type.Literal('chat')]),
        source: Type.String({ description: 'Where it is set: the name of a variable.' }),
        limit: Type.Number({ description: 'USD; 0: no limit.' }),
        spent: Type.Number({ description: 'USD of today, or of the chat from its beginning; estimates included.' }),
        held: Type.Number({ description: 'USD, for calls that are under way.' }),
        left: Type.Optional(Type.Number({ description: 'USD; left out without a limit.' })),
        resetsAt: Type.Optional(Type.String({ description: 'ISO 8601; of one for a day.' })),
      }),
      { description: 'Budgets and what is left of them now, whatever `since` is; with `chatId` those of the chat, too.' },
    ),
  }),
};

export function usageRoute(read: (filter: UsageFilter) => AsyncIterable<UsageRow>, spending: Pick<Spending, 'states'>): Route<typeof schema> {
  return {
    key: 'GET /api/usage',
    summary: 'Tokens and cost of model calls, by chat, turn, purpose, plugin and day.',
    tag: 'models',
    permission: 'usage.read',
    schema,
    async handle({ query }) {
      let rows: UsageRow[] = [];
      const totals = noSums();
      const [byChat, byTurn, byPurpose, byPlugin, byDay] = [newGroup(), newGroup(maxRows), newGroup(), newGroup(), newGroup()];
      for await (const row of read(query)) {
        rows.push(row);
        if (rows.length >= 2 * maxRows) rows = rows.slice(-maxRows);
        add(totals, row);
        if (row.chatId !== undefined) add(sumsOf(byChat, row.chatId), row);
        if (row.turnId !== undefined) add(sumsOf(byTurn, row.turnId), row);
        add(sumsOf(byPurpose, row.purpose), row);
        add(sumsOf(byPlugin, row.plugin ?? 'agent'), row);
        add(sumsOf(byDay, row.at.slice(0, 10)), row);
      }
      return {
        rows: rows.slice(-maxRows),
        totals,
        byChat: Object.fromEntries(byChat),
        byTurn: Object.fromEntries(byTurn),
        byPurpose: Object.fromEntries(byPurpose),
        byPlugin: Object.fromEntries(byPlugin),
        byDay: Object.fromEntries(byDay),
        caps: (await spending.states(query.chatId)).map((state) => ({
          ...state,
          ...(state.limit > 0 ? { left: Math.max(0, state.limit - state.spent - state.held) } : {}),
        })),
      };
    },
  };
}

type Group = Map<string, Sums>;
/** @param limit beyond it the oldest is dropped */
const newGroup = (limit = Number.POSITIVE_INFINITY): Group => new BoundedMap(limit);

function sumsOf(group: Group, key: string): Sums {
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
