// Builds the load report, which has one row per plugin, and caches it until something changes.
import type { ConfigField, Events, KernelError, LoadReport, PluginReport } from './types.ts';
import { kernelError } from './errors.ts';
import { sharedEvent } from './events.ts';
import type { KernelParts } from './parts.ts';
import { isFixed, isThirdParty, runOf, stateOf, type PluginRecord, type PluginTable } from './record.ts';

export type Warning = readonly [plugin: string, text: string];

/** Returns a function that builds the report. @param warningsOf returns the non-fatal errors of all plugins */
export function createReport({ table, hooks }: KernelParts, warningsOf: () => readonly Warning[], timing: () => Pick<LoadReport, 'ms' | 'isLoading'>) {
  let cached: LoadReport | undefined;
  let cachedAt = -1;
  return (): LoadReport => {
    if (!cached || cachedAt !== table.revision) {
      cachedAt = table.revision;
      const warnings = warningsOf();
      const rank = ({ name }: PluginRecord): number => table.ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
      const inOrder = [...table.records].sort((left, right) => rank(left) - rank(right));
      cached = { plugins: inOrder.map((record) => rowOf(record, warnings)), warnings: warnings.map(([, text]) => text), ...timing() };
    }
    const taps = hooks.running();
    if (taps.length === 0) return cached;
    const plugins = cached.plugins.map((row) => ({ ...row, runningTaps: taps.flatMap(({ plugin, ...tap }) => (plugin === row.name ? [tap] : [])) }));
    return { ...cached, plugins };
  };
}

function rowOf(record: PluginRecord, warnings: readonly Warning[]): PluginReport {
  const { name, origin, place, manifest, importMs } = record;
  const { entitlement, isolation } = manifest;
  const run = runOf(record);
  return {
    name,
    origin,
    place,
    ...stateOf(record),
    ...(entitlement === undefined ? {} : { entitlement }),
    ...(isFixed(record) ? { isFixed: true as const } : {}),
    ...(isThirdParty(record) && isolation !== undefined && isolation !== 'process' ? { isolation } : {}),
    bootMs: importMs + (run?.registerMs ?? 0),
    adds: run?.scope.labels ?? [],
    runningTaps: [],
    warnings: warnings.flatMap(([plugin, text]) => (plugin === name ? [text] : [])),
  };
}

/** Returns the errors that do not prevent a plugin from running. */
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

/** Returns unknown names as errors of the third-party plugins that use them. Ignores built-in plugins: a distribution may omit the owner of a name. */
export function findUnknownNames({ table, points, events, hooks, closest }: KernelParts): KernelError[] {
  const declared = new Set<string>([sharedEvent, ...table.records.flatMap(({ manifest }) => manifest.events ?? [])]);
  const kinds = [
    ['POINT_UNKNOWN', points.names.unowned(), points.names.owned()],
    ['EVENT_UNKNOWN', events.names.unowned().filter(({ name }) => !declared.has(name)), [...events.names.owned(), sharedEvent]],
    ['HOOK_UNDECLARED', hooks.names.unowned(), hooks.names.owned()],
  ] as const;
  return kinds.flatMap(([reason, uses, known]) =>
    uses
      .filter(({ plugin }) => table.isThirdParty(plugin))
      .map((use) => {
        const [near] = closest?.(use.name, known) ?? [];
        return kernelError(reason, { ...use, hint: near === undefined ? '.' : `; did you mean '${near}'?` });
      }),
  );
}

/** Returns a function that returns the states changed since its last call. */
export function watchStates(table: PluginTable): () => Events['plugin_changed'][] {
  const read = (): Map<string, ReturnType<typeof stateOf>> => new Map(table.records.map((record) => [record.name, stateOf(record)]));
  const before = read();
  return () => {
    const after = read();
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
      const { state, reason } = after.get(name) ?? { state: 'disabled', reason: 'its file was removed' };
      if (before.get(name)?.state === state && before.get(name)?.reason === reason) return [];
      return [{ name, state, ...(reason === undefined ? {} : { reason }) }];
    });
  };
}
