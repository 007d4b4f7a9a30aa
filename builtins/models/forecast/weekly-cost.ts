// Calculates the likely weekly cost of background work (scheduled jobs, and turns that plugins request) from past days.
import type { UsageRow } from 'agent-harness/plugins/models';
import type { ForecastUnit } from './contract.ts';
import type { PastTurn } from './history.ts';

export interface WeeklyCost {
  readonly plugin: string;
  readonly unit: ForecastUnit;
  /** Mean cost of seven days, in the given unit. */
  readonly likely: number;
  /** Lower end of the range that contains four out of five simulated weeks. */
  readonly low: number;
  readonly high: number;
  /** Number of days on which the result is based, including days without such work. */
  readonly days: number;
}

/** Minimum number of days with data that a result requires. */
export const fewestDays = 5;
export const mostDays = 28;
const dayMs = 86_400_000;
/** Number of simulated weeks; the random numbers are deterministic. */
const weeks = 500;
const tail = 0.1;

/**
 * @param plugins names of the plugins
 * @param rows model calls of the last {@link mostDays} days; calls of a turn count if a plugin requested the turn
 * @param past past turns, which identify the turns that plugins requested
 * @param now milliseconds since 1970; the current day is excluded because it is not complete
 */
export function weeklyCosts(plugins: readonly string[], rows: readonly UsageRow[], past: readonly PastTurn[], now: number): WeeklyCost[] {
  const wantedBy = new Map(past.flatMap(({ turnId, by }) => (by === undefined ? [] : [[turnId, by] as const])));
  const today = Math.floor(now / dayMs);
  const dayOf = ({ at }: UsageRow): number => Math.floor(Date.parse(at) / dayMs);
  const begun = rows.reduce((first, row) => Math.min(first, dayOf(row)), today);
  const days = Math.min(mostDays, today - begun);
  if (days < fewestDays) return [];
  return plugins.flatMap((plugin) => {
    const own = rows.filter((row) => (row.turnId === undefined ? row.plugin === plugin : wantedBy.get(row.turnId) === plugin));
    const unit: ForecastUnit = own.some(({ cost = 0 }) => cost > 0) ? 'usd' : 'tokens';
    const sums = Array.from({ length: days }, () => 0);
    for (const row of own) {
      const at = today - 1 - dayOf(row);
      if (at >= 0 && at < days) sums[at] = (sums[at] ?? 0) + (unit === 'usd' ? (row.cost ?? 0) : row.input + row.output);
    }
    const mean = sums.reduce((sum, one) => sum + one, 0) / days;
    return mean === 0 ? [] : [{ plugin, unit, likely: 7 * mean, ...rangeOf(sums), days }];
  });
}

function rangeOf(days: readonly number[]): { readonly low: number; readonly high: number } {
  let state = 1;
  const pick = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return days[Math.floor((state / 2 ** 32) * days.length)] ?? 0;
  };
  const sums = Array.from({ length: weeks }, () => Array.from({ length: 7 }, pick).reduce((sum, one) => sum + one, 0)).sort((a, b) => a - b);
  return { low: sums[Math.floor(tail * weeks)] ?? 0, high: sums[Math.ceil((1 - tail) * weeks) - 1] ?? 0 };
}
