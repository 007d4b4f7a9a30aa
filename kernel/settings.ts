// Applies changed settings to the plugins that use them: in place, by reloading, or at the next start.
import type { ConfigField, ConfigSlice, ConfigStore, KernelControl, LogSink } from './types.ts';
import { copyValue, isSameValue, propertiesOf } from './config.ts';
import { runOf, type PluginRecord, type PluginTable } from './record.ts';

export interface Settings {
  fields(): readonly ConfigField[];
  /** Called when the set of plugins has changed. */
  forget(): void;
  check: KernelControl['checkValue'];
  /** Returns the plugins that must reload, and the names of the changed variables. */
  replace(...texts: Parameters<KernelControl['setPreferences']>): { readonly forced: ReadonlySet<PluginRecord>; changedKeys(): readonly string[] };
}

export function createSettings(table: PluginTable, config: ConfigStore, log: LogSink): Settings {
  let cached: readonly ConfigField[] | undefined;
  const sliceOf = ({ name, manifest }: PluginRecord): ConfigSlice => config.slice(name, manifest.config);
  const fields = (): readonly ConfigField[] => (cached ??= table.records.flatMap((record) => sliceOf(record).fields));

  /** Replaces `live` values in place; returns whether the plugin must reload. */
  function refresh(record: PluginRecord, { values }: ConfigSlice): boolean {
    const next = sliceOf(record);
    if (next.fault) {
      // An invalid value in a file stops no running plugin.
      log('warn', record.name, `keeps the settings it has: ${next.fault.message}`);
      return false;
    }
    let mustReload = false;
    for (const [key, property] of propertiesOf(record.manifest.config)) {
      if (isSameValue(key, next.values, values)) continue;
      if (property.apply === 'live') copyValue(key, next.values, values);
      else if (property.apply !== 'restart') mustReload = true;
    }
    return mustReload;
  }

  return {
    fields,
    forget: () => void (cached = undefined),
    check(key, text) {
      const [, declared] = table.records.flatMap(({ manifest }) => propertiesOf(manifest.config)).find(([, { env }]) => env === key) ?? [];
      return declared && config.check(declared, text);
    },
    replace(...texts) {
      const before = new Map(fields().map(({ key, value }) => [key, value]));
      const failed = table.records.flatMap((record) => (record.status.kind === 'failed' ? [{ record, values: sliceOf(record).values }] : []));
      config.replacePreferences(...texts);
      cached = undefined;
      const isChanged = (record: PluginRecord, values: ConfigSlice['values'], next = sliceOf(record).values): boolean =>
        propertiesOf(record.manifest.config).some(([key]) => !isSameValue(key, values, next));
      const forced = new Set(failed.flatMap(({ record, values }) => (isChanged(record, values) ? [record] : [])));
      for (const record of table.records) {
        const run = runOf(record);
        if (run && refresh(record, run.slice)) forced.add(record);
      }
      return { forced, changedKeys: () => fields().flatMap(({ key, value }) => (before.get(key) === value ? [] : [key])) };
    },
  };
}
