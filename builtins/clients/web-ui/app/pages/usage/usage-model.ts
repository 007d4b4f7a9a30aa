// Ranges, sums and rows of the usage page. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatLongServerDay, formatServerDay } from '../../kit/page/format.ts';
import { t, table } from '../../kit/t.ts';

export type Usage = ReplyOf<'GET /api/usage'>;
export type Sums = Usage['totals'];
export type RangeId = 'today' | 'week' | 'month' | 'all';

export const rangeTitles: Readonly<Record<RangeId, string>> = table({ today: 'Today', week: '7 days', month: '30 days', all: 'All' });

const daysOfRange: Readonly<Record<Exclude<RangeId, 'all'>, number>> = { today: 1, week: 7, month: 30 };
const dayMs = 86_400_000;
/** More bars than this are too thin to hit. */
const mostBars = 62;

/** The first day of a range, `2026-11-14`; the server's days are UTC. `undefined` for all. */
export function sinceOf(range: RangeId, now: Date): string | undefined {
  return range === 'all' ? undefined : dayOf(now.getTime() - (daysOfRange[range] - 1) * dayMs);
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export interface Bar {
  /** Unique; ISO date, or date and hour. */
  readonly id: string;
  /** For people, with the whole date. */
  readonly label: string;
  /** For the axis. */
  readonly shortLabel: string;
  readonly sums: Sums;
}

/** One bar for each day of the range, days without a call too; for a single day one for each hour, for long times one for each week. */
export function barsOf(usage: Pick<Usage, 'byDay' | 'rows' | 'totals'>, range: RangeId, now: Date): Bar[] {
  const today = dayOf(now.getTime());
  // Of very many calls the rows are not all there, so their hours would lie.
  if (range === 'today' && usage.rows.length === usage.totals.calls) return hoursOf(usage.rows, today);
  const days = Object.keys(usage.byDay).sort();
  const first = sinceOf(range, now) ?? days[0] ?? today;
  const bars = daysBetween(first, today).map((day) => ({
    id: day,
    label: formatLongServerDay(day),
    shortLabel: formatServerDay(day),
    sums: usage.byDay[day] ?? noSums(),
  }));
  return bars.length > mostBars ? joinBars(bars, Math.max(7, Math.ceil(bars.length / mostBars / 7) * 7)) : bars;
}

function daysBetween(first: string, last: string): string[] {
  const count = Math.max(0, Math.round((Date.parse(last) - Date.parse(first)) / dayMs));
  return Array.from({ length: count + 1 }, (_, index) => dayOf(Date.parse(first) + index * dayMs));
}

function hoursOf(rows: Usage['rows'], day: string): Bar[] {
  const sums = Array.from({ length: 24 }, noSums);
  for (const row of rows) {
    const hour = sums[Number(row.at.slice(11, 13))];
    if (row.at.startsWith(day) && hour) addRow(hour, row);
  }
  return sums.map((one, hour) => {
    const time = `${String(hour).padStart(2, '0')}:00`;
    return { id: `${day}T${time}`, label: t('{format}, {time} UTC', { format: formatLongServerDay(day), time }), shortLabel: time, sums: one };
  });
}

function joinBars(bars: readonly Bar[], size: number): Bar[] {
  return Array.from({ length: Math.ceil(bars.length / size) }, (_, index) => {
    const part = bars.slice(index * size, (index + 1) * size);
    const [first, last] = [part[0] as Bar, part.at(-1) as Bar];
    return {
      id: first.id,
      label: t('{label} to {label2}', { label: first.label, label2: last.label }),
      shortLabel: first.shortLabel,
      sums: part.map((bar) => bar.sums).reduce(plus, noSums()),
    };
  });
}

export interface NamedSums {
  readonly key: string;
  readonly sums: Sums;
}

/** Most tokens first. */
export function ranked(groups: Readonly<Record<string, Sums>>): NamedSums[] {
  return Object.entries(groups)
    .map(([key, sums]) => ({ key, sums }))
    .sort((a, b) => tokensOf(b.sums) - tokensOf(a.sums) || a.key.localeCompare(b.key, 'en'));
}

/** The server sums by model nowhere, so this counts only the rows that it sends: the newest 1,000. */
export function sumModels(rows: Usage['rows']): Record<string, Sums> {
  const models: Record<string, Sums> = {};
  for (const row of rows) addRow((models[row.model] ??= noSums()), row);
  return models;
}

export function tokensOf({ input, output }: Sums): number {
  return input + output;
}

/** Cached tokens are part of the input. */
export function partsOf({ input, output, cached }: Sums): { readonly cached: number; readonly fresh: number; readonly output: number } {
  const known = Math.min(cached, input);
  return { cached: known, fresh: input - known, output };
}

function addRow(target: { -readonly [K in keyof Sums]: Sums[K] }, row: Usage['rows'][number]): void {
  target.calls += 1;
  target.input += row.input;
  target.output += row.output;
  target.cached += row.cached;
  target.cost += row.cost ?? 0;
}

function plus(a: Sums, b: Sums): Sums {
  return { calls: a.calls + b.calls, input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached, cost: a.cost + b.cost };
}

function noSums(): Sums {
  return { calls: 0, input: 0, output: 0, cached: 0, cost: 0 };
}
