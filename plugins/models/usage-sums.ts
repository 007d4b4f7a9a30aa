// Sums of what model calls took, by everything they can be told apart by.
import { BoundedMap } from 'agent-harness/lib/values';
import type { ModelUsage, UsageRow } from './contract.ts';

/** The totals count all rows; of the rows themselves, and of the turns, only the newest are kept. */
export const maxRows = 1_000;

export interface Sums {
  calls: number;
  input: number;
  output: number;
  cached: number;
  /** USD, as far as the provider says. */
  cost: number;
}

export type Group = Map<string, Sums>;

export interface UsageSums {
  /** The newest {@link maxRows}, newest last. */
  readonly rows: readonly UsageRow[];
  readonly totals: Sums;
  readonly byChat: Group;
  /** The newest {@link maxRows}. */
  readonly byTurn: Group;
  readonly byPurpose: Group;
  readonly byPlugin: Group;
  readonly byModel: Group;
  /** Days of UTC. */
  readonly byDay: Group;
}

export async function sumUsage(read: AsyncIterable<UsageRow>): Promise<UsageSums> {
  let rows: UsageRow[] = [];
  const totals = noSums();
  const [byChat, byTurn, byPurpose, byPlugin, byModel, byDay] = [newGroup(), newGroup(maxRows), newGroup(), newGroup(), newGroup(), newGroup()];
  for await (const row of read) {
    rows.push(row);
    if (rows.length >= 2 * maxRows) rows = rows.slice(-maxRows);
    add(totals, row);
    if (row.chatId !== undefined) add(sumsOf(byChat, row.chatId), row);
    if (row.turnId !== undefined) add(sumsOf(byTurn, row.turnId), row);
    add(sumsOf(byPurpose, row.purpose), row);
    add(sumsOf(byPlugin, row.plugin ?? 'agent'), row);
    add(sumsOf(byModel, row.model), row);
    add(sumsOf(byDay, row.at.slice(0, 10)), row);
  }
  return { rows: rows.slice(-maxRows), totals, byChat, byTurn, byPurpose, byPlugin, byModel, byDay };
}

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
