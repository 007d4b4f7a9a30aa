// How what plugins take is named and sorted. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { formatCount, formatDecimal } from '../../kit/page/format.ts';
import { t, table } from '../../kit/t.ts';

export type UsageRow = ReplyOf<'GET /api/plugins/usage'>['plugins'][number];
export type UsageSpan = 'live' | 'today' | 'week' | 'month';
export type UsageColumn = 'name' | 'calls' | 'activeMs' | 'bytes' | 'faults';

export const columns: readonly UsageColumn[] = ['name', 'calls', 'activeMs', 'bytes', 'faults'];
export const spanTitles: Readonly<Record<UsageSpan, string>> = table({ live: 'Since the start', today: 'Today', week: '7 days', month: '30 days' });
export const columnTitles: Readonly<Record<UsageColumn, string>> = table({
  name: 'Plugin',
  calls: 'Calls',
  activeMs: 'Time',
  bytes: 'Memory##of a computer',
  faults: 'Faults',
});
export const placeTitles = table({ process: 'in the server', child: 'isolated' } as const);
export const faultTitles = table({ error: 'Error', stall: 'Made others wait', slow: 'Too slow', crash: 'Ended', load: 'Did not load' } as const);

/** Most first; names from A on. */
export function sortRows(rows: readonly UsageRow[], column: UsageColumn): UsageRow[] {
  const amountOf: Readonly<Record<UsageColumn, (row: UsageRow) => number>> = {
    name: () => 0,
    calls: ({ calls }) => calls.total,
    activeMs: ({ activeMs }) => activeMs,
    bytes: ({ memoryBytes, peakBytes }) => memoryBytes ?? peakBytes ?? 0,
    faults: ({ faults }) => faults.total,
  };
  const amount = amountOf[column];
  return [...rows].sort((left, right) => amount(right) - amount(left) || left.name.localeCompare(right.name, 'en'));
}

/** `42 ms`, `1.4 s`, `12 min` */
export function durationOf(ms: number): string {
  if (ms < 1_000) return t('{bootMs} ms', { bootMs: formatCount(Math.round(ms)) });
  if (ms < 120_000) return t('{seconds} s', { seconds: formatDecimal(ms / 1_000) });
  return t('{minutes} min', { minutes: formatCount(Math.round(ms / 60_000)) });
}
