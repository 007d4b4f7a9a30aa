// Builds the report: one row per plugin, rebuilt only after a change.
import type { ConfigField, Events, KernelError, KernelOptions, LoadReport, PluginReport, RunningTap } from './types.ts';
import { unknownName } from './errors.ts';
import type { KernelParts } from './parts.ts';
import { isFixed, isThirdParty, runOf, stateOf, type PluginRecord, type PluginTable } from './record.ts';

export type Warning = readonly [plugin: string, text: string];

export interface ReportParts {
  readonly table: PluginTable;
  /** A number that differs after each change. */
  revision(): number;
  warnings(): readonly Warning[];
  running(): readonly (RunningTap & { readonly plugin: string })[];
  ms(): number;
  isLoading(): boolean;
}

export function createReport({ table, revision, warnings, running, ms, isLoading }: ReportParts): () => LoadReport {
  let cached: LoadReport | undefined;
  let cachedAt = -1;
  return () => {
    if (!cached || cachedAt !== revision()) {
      cachedAt = revision();
      cached = { ...build(table, warnings()), ms: ms(), isLoading: isLoading() };
    }
    const taps = running();
    if (taps.length === 0) return cached;
    const tapsOf = (name: string): RunningTap[] => taps.flatMap(({ plugin, ...tap }) => (plugin === name ? [tap] : []));
    return { ...cached, plugins: cached.plugins.map((row) => ({ ...row, runningTaps: tapsOf(row.name) })) };
  };
}

/** Rows in plan order first. */
function build(table: PluginTable, warnings: readonly Warning[]): Pick<LoadReport, 'plugins' | 'warnings'> {
  const rank = ({ name }: PluginRecord): number => table.ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
  const records = [...table.records].sort((left, right) => rank(left) - rank(right));
  return { plugins: records.map((record) => rowOf(record, warnings)), warnings: warnings.map(([, text]) => text) };
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

/** Returns the faults that keep no plugin from running. */
export function stateWarnings(table: PluginTable, unknown: readonly KernelError[], fields: readonly ConfigField[]): Warning[] {
  const stays = table.records.filter((record) => isFixed(record) && table.disabled.has(record.name));
  const whyOf = (origin: string): string => (origin === 'platform' ? 'is part of the platform' : 'is fixed by the product');
  return [
    ...stays.map(({ name, origin }): Warning => [name, `'${name}' ${whyOf(origin)} and cannot be switched off.`]),
    ...unknown.map(({ plugin = '', message }): Warning => [plugin, message]),
    ...table.records.flatMap(({ name, note }): Warning[] => (note === undefined ? [] : [[name, note]])),
    ...fields.flatMap(({ plugin, warning }): Warning[] => (warning === undefined ? [] : [[plugin, warning]])),
  ];
}

/** Returns unknown names as faults of the third-party plugins that use them. Built-in plugins are exempt: the owner of a name may be left out. */
export function findUnknownNames(table: PluginTable, { points, events, hooks }: KernelParts, closest: KernelOptions['closest']): KernelError[] {
  const isDeclared = (event: string): boolean => table.records.some(({ manifest }) => manifest.events?.includes(event as never));
  return [
    ...points.unowned().flatMap((use) => (table.isThirdParty(use.plugin) ? unknownName('POINT_UNKNOWN', use, points.names(), closest) : [])),
    ...events
      .unowned()
      .flatMap((use) => (table.isThirdParty(use.plugin) && !isDeclared(use.name) ? unknownName('EVENT_UNKNOWN', use, events.names(), closest) : [])),
    ...hooks.undeclared().flatMap((use) => (table.isThirdParty(use.plugin) ? unknownName('HOOK_UNDECLARED', use, hooks.names(), closest) : [])),
  ];
}

/** Returns the state of each name, for {@link changesSince}. */
export function statesOf(table: PluginTable): ReadonlyMap<string, ReturnType<typeof stateOf>> {
  return new Map(table.records.map((record) => [record.name, stateOf(record)]));
}

export function changesSince(before: ReturnType<typeof statesOf>, table: PluginTable): Events['plugin_changed'][] {
  const after = statesOf(table);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const { state, reason } = after.get(name) ?? { state: 'disabled', reason: 'its file is gone' };
    if (before.get(name)?.state === state && before.get(name)?.reason === reason) return [];
    return [{ name, state, ...(reason === undefined ? {} : { reason }) }];
  });
}
