// Applies changed settings to the plugins that use them; the host's config store supplies the values.
import type { ConfigStore, LogSink, PropertySchema } from './types.ts';
import { runOf, type PluginRecord, type PluginTable } from './record.ts';

/** Creates a config store for hosts without settings, in which every setting has its default from the schema. */
export function createDefaults(): ConfigStore {
  const defaultsOf = (schema: unknown): [string, unknown][] => {
    const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, PropertySchema>> };
    return Object.entries(properties).flatMap(([key, one]) => (one.default === undefined ? [] : [[key, one.default]]));
  };
  return {
    slice: (_, schema) => ({ values: Object.fromEntries(defaultsOf(schema)), fields: [] }),
    refresh: () => ({ isChanged: false, mustReload: false }),
    check: () => undefined,
    replacePreferences: () => undefined,
  };
}

/** Updates `live` values in place. Returns the plugins that must register again, including those that failed with the previous values. */
export function refreshSettings(table: PluginTable, config: ConfigStore, log: LogSink): ReadonlySet<PluginRecord> {
  const forced = new Set<PluginRecord>();
  for (const record of table.records) {
    const { name, manifest, status } = record;
    const slice = status.kind === 'failed' ? status.slice : runOf(record)?.slice;
    if (!slice) continue;
    const { isChanged, mustReload, fault } = config.refresh?.(slice, name, manifest.config) ?? { isChanged: true, mustReload: true, fault: undefined };
    if (status.kind === 'failed' ? isChanged : mustReload) forced.add(record);
    // An invalid value in a file does not stop a running plugin.
    if (fault && status.kind !== 'failed') log('warn', name, `keeps its previous settings: ${fault.message}`);
  }
  return forced;
}
