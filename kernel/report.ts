// The report: one row per plugin, built again only when something it shows has changed.
import type { LoadReport, PluginReport, RunningTap } from './contracts.ts';
import { isFixed, isThirdParty, runOf, stateOf, type PluginRecord, type PluginTable } from './record.ts';

export type Warning = readonly [plugin: string, text: string];

export interface ReportParts {
  readonly table: PluginTable;
  /** Another number after each change. */
  revision(): number;
  warnings(): readonly Warning[];
  running(): readonly (RunningTap & { readonly plugin: string })[];
  ms(): number;
}

export function createReport({ table, revision, warnings, running, ms }: ReportParts): () => LoadReport {
  let cached: LoadReport | undefined;
  let cachedAt = -1;
  return () => {
    if (!cached || cachedAt !== revision()) {
      cachedAt = revision();
      cached = build(table, warnings(), ms());
    }
    const taps = running();
    if (taps.length === 0) return cached;
    const tapsOf = (name: string): RunningTap[] => taps.flatMap(({ plugin, ...tap }) => (plugin === name ? [tap] : []));
    return { ...cached, plugins: cached.plugins.map((row) => ({ ...row, runningTaps: tapsOf(row.name) })) };
  };
}

/** In plan order first. */
function build(table: PluginTable, warnings: readonly Warning[], ms: number): LoadReport {
  const rank = ({ name }: PluginRecord): number => table.ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
  const records = [...table.records].sort((left, right) => rank(left) - rank(right));
  return { plugins: records.map((record) => rowOf(record, warnings)), warnings: warnings.map(([, text]) => text), ms };
}

function rowOf(record: PluginRecord, warnings: readonly Warning[]): PluginReport {
  const { name, origin, place, manifest, importMs } = record;
  const run = runOf(record);
  return {
    name,
    origin,
    place,
    ...stateOf(record),
    ...(manifest.entitlement === undefined ? {} : { entitlement: manifest.entitlement }),
    ...(isFixed(record) ? { isFixed: true as const } : {}),
    ...(isThirdParty(record) && manifest.isolation !== undefined && manifest.isolation !== 'process' ? { isolation: manifest.isolation } : {}),
    bootMs: importMs + (run?.registerMs ?? 0),
    adds: run?.scope.labels ?? [],
    runningTaps: [],
    warnings: warnings.flatMap(([plugin, text]) => (plugin === name ? [text] : [])),
  };
}
