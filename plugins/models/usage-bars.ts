// Groups model usage by hour, day, week or month for charts, including empty periods. Pure.
import { addSums, newGroup, noSums, sumsOf, type Group, type Sums } from './usage-sums.ts';

const dayMs = 86_400_000;
/** Maximum number of bars in a chart; more would be too thin to select. */
const maxBars = 62;

export interface Bars {
  readonly by: 'hour' | 'day' | 'week' | 'month';
  readonly bars: readonly {
    /** Period in UTC: an hour (`05:00`), a day (`2026-11-24`), the first day of a week, or a month (`2026-11`). */
    readonly label: string;
    readonly sums: Sums;
  }[];
}

export interface SpanSums {
  readonly byDay: Group;
  /** Usage by hour label, see {@link hourOf}; empty if the span is longer than a day. */
  readonly byHour: Group;
  /** Length of the span in days; 0: all time. */
  readonly days: number;
  /** Today's date: `2026-11-24`. */
  readonly today: string;
  /** First day of the span; empty for the first day with a call. */
  readonly since: string;
}

/** Returns the bars of a chart; the period of a bar depends on the length of the span. */
export function barsOf({ byDay, byHour, days, today, since }: SpanSums): Bars {
  if (days === 1) {
    return { by: 'hour', bars: Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`).map((label) => barOf(byHour, label)) };
  }
  const first = since === '' ? ([...byDay.keys()].sort()[0] ?? today) : since;
  const all = daysBetween(first, today);
  if (all.length <= maxBars) return { by: 'day', bars: all.map((day) => barOf(byDay, day)) };
  const weeks = Math.ceil(all.length / 7) <= maxBars;
  const joined = newGroup();
  for (const [at, day] of all.entries()) {
    const sums = sumsOf(joined, weeks ? (all[at - (at % 7)] ?? day) : day.slice(0, 7));
    addSums(sums, byDay.get(day) ?? noSums());
  }
  return { by: weeks ? 'week' : 'month', bars: [...joined].map(([label, sums]) => ({ label, sums })) };
}

/** Returns the hour label of a time: `05:00`. */
export function hourOf(at: string): string {
  return `${at.slice(11, 13)}:00`;
}

function barOf(group: Group, label: string): Bars['bars'][number] {
  return { label, sums: group.get(label) ?? noSums() };
}

/** Returns the days from `first` to `last`, both inclusive; at least the last one. */
function daysBetween(first: string, last: string): string[] {
  const count = Math.max(0, Math.round((Date.parse(last) - Date.parse(first)) / dayMs) || 0);
  return Array.from({ length: count + 1 }, (_, at) => new Date(Date.parse(last) - (count - at) * dayMs).toISOString().slice(0, 10));
}
