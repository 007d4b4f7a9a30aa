// Sums the usage of model calls by chat, turn, purpose, plugin, model and day.
import { BoundedMap } from '#lib/values';
import type { ModelUsage, UsageRow } from './contract.ts';
import { pluginOf } from './usage-log.ts';

/** Maximum number of rows and turns in a reply, the newest ones; totals include all rows. */
export const maxRows = 1_000;

export interface Sums {
  calls: number;
  input: number;
  output: number;
  cached: number;
  /** Cost in USD that the provider reported. */
  cost: number;
}

export type Group = Map<string, Sums>;

export interface UsageSums {
  /** The newest {@link maxRows} rows, newest last. */
  readonly rows: readonly UsageRow[];
  readonly totals: Sums;
  readonly byChat: Group;
  /** Sums of the newest {@link maxRows} turns. */
  readonly byTurn: Group;
  readonly byPurpose: Group;
  readonly byPlugin: Group;
  readonly byModel: Group;
  /** Sums by day (UTC). */
  readonly byDay: Group;
}

export async function sumUsage(read: AsyncIterable<UsageRow>): Promise<UsageSums> {
  let rows: UsageRow[] = [];
  const totals = noSums();
  const [byChat, byTurn, byPurpose, byPlugin, byModel, byDay] = [newGroup(), newGroup(maxRows), newGroup(), newGroup(), newGroup(), newGroup()];
  for await (const row of read) {
    rows.push(row);
    if (rows.length >= 2 * maxRows) rows = rows.slice(-maxRows);
    addRow(totals, row);
    if (row.chatId !== undefined) addRow(sumsOf(byChat, row.chatId), row);
    if (row.turnId !== undefined) addRow(sumsOf(byTurn, row.turnId), row);
    addRow(sumsOf(byPurpose, row.purpose), row);
    addRow(sumsOf(byPlugin, pluginOf(row)), row);
    addRow(sumsOf(byModel, row.model), row);
    addRow(sumsOf(byDay, row.at.slice(0, 10)), row);
  }
  return { rows: rows.slice(-maxRows), totals, byChat, byTurn, byPurpose, byPlugin, byModel, byDay };
}

/** Creates an empty group. @param limit maximum number of entries; the oldest is dropped */
export const newGroup = (limit = Number.POSITIVE_INFINITY): Group => new BoundedMap(limit);

/** Returns the sums of `key`; creates them if missing. */
export function sumsOf(group: Group, key: string): Sums {
  let found = group.get(key);
  if (!found) group.set(key, (found = noSums()));
  return found;
}

/** Adds the usage of one call to the sums. */
export function addRow(target: Sums, { input, output, cached, cost = 0 }: ModelUsage): void {
  addSums(target, { calls: 1, input, output, cached, cost });
}

export function addSums(target: Sums, more: Sums): void {
  target.calls += more.calls;
  target.input += more.input;
  target.output += more.output;
  target.cached += more.cached;
  target.cost += more.cost;
}

export const noSums = (): Sums => ({ calls: 0, input: 0, output: 0, cached: 0, cost: 0 });
