// The sums of what plugins took and did wrong, and how they stand on disk. Pure, but for the one read.
import { readFileSync } from 'node:fs';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { PluginFaultKind, PluginUsageRow } from 'agent-harness/plugins/settings';

/** The numbers that add up; `ms` is milliseconds, `peakBytes` the most that was seen. */
export const noTally = {
  ...{ tools: 0, routes: 0, hooks: 0, listeners: 0, jobs: 0, others: 0, ms: 0 },
  ...{ errors: 0, stalls: 0, slow: 0, crashes: 0, loads: 0, restarts: 0, peakBytes: 0 },
};
export type Tally = typeof noTally;
export type Field = keyof Tally;
export const fields = Object.keys(noTally) as Field[];

/** Where a call counts; what is not here is time and no call. */
export const callFields: Readonly<Record<string, Field | undefined>> = {
  ...{ tool: 'tools', route: 'routes', hook: 'hooks', listener: 'listeners', job: 'jobs' },
  ...{ contribution: 'others', 'reply section': 'others', 'slash command': 'others', view: 'others' },
};
export const faultFields = { error: 'errors', stall: 'stalls', slow: 'slow', crash: 'crashes', load: 'loads' } as const satisfies Record<
  PluginFaultKind,
  Field
>;

export interface Kept {
  readonly days: Readonly<Record<string, Readonly<Record<string, Partial<Tally>>>>>;
  readonly last: Readonly<Record<string, NonNullable<PluginUsageRow['lastFault']>>>;
}

export function sumOf(left: Partial<Tally>, right: Partial<Tally>): Tally {
  const sum = (field: Field): number =>
    field === 'peakBytes' ? Math.max(left[field] ?? 0, right[field] ?? 0) : Math.round(((left[field] ?? 0) + (right[field] ?? 0)) * 1_000) / 1_000;
  return Object.fromEntries(fields.map((field) => [field, sum(field)])) as Tally;
}

export function numbersOf(tally: Tally): Pick<PluginUsageRow, 'calls' | 'activeMs' | 'faults' | 'restarts' | 'peakBytes'> {
  const { tools, routes, hooks, listeners, jobs, others, ms, errors, stalls, slow, crashes, loads, restarts, peakBytes } = tally;
  return {
    calls: { total: tools + routes + hooks + listeners + jobs + others, tools, routes, hooks, listeners, jobs },
    activeMs: Math.round(ms * 10) / 10,
    faults: { total: errors + stalls + slow + crashes + loads, errors, stalls, slow, crashes, loads },
    restarts,
    ...(peakBytes > 0 ? { peakBytes } : {}),
  };
}

export const amountOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0);

/** What is not there or makes no sense is nothing. */
export function readKept(path: string): Kept {
  try {
    const parsed = jsonOf(readFileSync(path, 'utf8'));
    const { days, last } = isRecord(parsed) ? parsed : {};
    return {
      days: isRecord(days) ? mapOf(days, (names) => (isRecord(names) ? mapOf(names, tallyOf) : undefined)) : {},
      last: isRecord(last) ? mapOf(last, faultOf) : {},
    };
  } catch {
    return { days: {}, last: {} };
  }
}

function mapOf<T>(from: Readonly<Record<string, unknown>>, read: (value: unknown) => T | undefined): Record<string, T> {
  return Object.fromEntries(
    Object.entries(from).flatMap(([key, value]): [string, T][] => {
      const found = read(value);
      return found === undefined ? [] : [[key, found]];
    }),
  );
}

function tallyOf(value: unknown): Partial<Tally> | undefined {
  return isRecord(value) ? Object.fromEntries(fields.flatMap((field) => (amountOf(value[field]) > 0 ? [[field, amountOf(value[field])]] : []))) : undefined;
}

function faultOf(value: unknown): PluginUsageRow['lastFault'] {
  const { at, kind, message } = isRecord(value) ? value : {};
  const isKind = typeof kind === 'string' && Object.hasOwn(faultFields, kind);
  return typeof at === 'string' && isKind && typeof message === 'string' ? { at, kind: kind as PluginFaultKind, message } : undefined;
}
