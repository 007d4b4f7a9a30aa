// Sums the usage of one turn by model, and formats it. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCost, formatCount, formatDecimal } from '../../kit/page/format.ts';
import { t } from '../../kit/t.ts';

type Row = ReplyOf<'GET /api/usage'>['rows'][number];

export interface ModelSums {
  readonly model: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** USD, for calls with a known price. */
  readonly cost: number;
  /** Whether the price of at least one call comes from the price list, because the provider reports no cost. */
  readonly isEstimated: boolean;
  /** Number of calls without a known price. */
  readonly unpriced: number;
}

/** Sums the usage by model, in order of first use. */
export function sumsByModel(rows: readonly Row[]): ModelSums[] {
  const sums = new Map<string, ModelSums>();
  for (const { model, input, output, cached, cost, estimate } of rows) {
    const known = sums.get(model) ?? { model, calls: 0, input: 0, output: 0, cached: 0, cost: 0, isEstimated: false, unpriced: 0 };
    const price = cost ?? estimate;
    sums.set(model, {
      ...{ model, calls: known.calls + 1 },
      ...{ input: known.input + input, output: known.output + output, cached: known.cached + cached },
      ...{ cost: known.cost + (price ?? 0), isEstimated: known.isEstimated || (cost === undefined && estimate !== undefined) },
      unpriced: known.unpriced + (price === undefined ? 1 : 0),
    });
  }
  return [...sums.values()];
}

export function costText({ cost, calls, unpriced, isEstimated }: ModelSums): string {
  if (unpriced === calls) return t('no price known for this model');
  const sum = isEstimated ? t('about {sum}', { sum: formatCost(cost) }) : formatCost(cost);
  return unpriced > 0 ? t('{sum}, and {unpriced} without a known price', { sum, unpriced: formatCount(unpriced) }) : sum;
}

/** Formats a duration for narrow layouts: `0.4 s`, `12 s`, `3 min`, `2 h`. */
export function shortTime(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return t('{seconds} s', { seconds: formatDecimal(seconds) });
  if (seconds < 59.5) return t('{seconds} s', { seconds: Math.round(seconds) });
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? t('{minutes} min', { minutes }) : t('{hours} h', { hours: Math.round(minutes / 60) });
}

/** Formats a duration: `0.4 seconds`, `2 min 5 s`, `1 h 3 min`. */
export function longTime(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return t('{seconds} seconds', { seconds: formatDecimal(ms / 1_000) });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? t('{minutes} min {seconds} s', { minutes, seconds: seconds % 60 })
    : t('{hours} h {minutes} min', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
