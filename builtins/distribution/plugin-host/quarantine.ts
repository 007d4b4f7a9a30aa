// Quarantines plugins after repeated or process-ending faults, until their files change or a person enables them again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine } from 'agent-harness/lib/text';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import { stampOf } from './plugin-files.ts';
import type { FolderSource, KnownPlugin } from './plugin-folders.ts';
import type { RunMarker } from './run-marker.ts';

/**
 * - `error`: it threw, or a promise of it was rejected.
 * - `stall`: it computed for more than a second in one go, while others of its process waited.
 * - `slow`: a tap was over the limit of its hook, or events were read too slowly.
 * - `crash`: its child process ended unexpectedly.
 */
export type PluginFaultKind = 'error' | 'stall' | 'slow' | 'crash';

/** Faults of one kind within ten minutes after which a plugin is quarantined. A file that does not load fails by itself. */
const limits: Readonly<Record<PluginFaultKind, number>> = { error: 5, slow: 5, stall: 3, crash: 3 };
const withinMs = 10 * 60_000;
const kindTexts: Readonly<Record<PluginFaultKind, string>> = { error: 'failed', slow: 'was too slow', stall: 'kept others waiting', crash: 'ended' };

export interface QuarantineParts {
  readonly home: string;
  /** Reports a fault. */
  readonly say: (plugin: string, what: string) => void;
  /** Loads one plugin of the source again. */
  readonly load: (source: FolderSource, name: string) => Promise<unknown>;
  readonly marker: Pick<RunMarker, 'at' | 'died'>;
  /** A safe start: no third-party plugin is loaded. */
  readonly isSafe: boolean;
}

export interface Quarantine {
  /** Wraps a source: quarantined plugins are left out. */
  guard(source: FolderSource): FolderSource;
  /** Counts a fault; too many quarantine the plugin. */
  heard(name: string, kind: PluginFaultKind, message: string): void;
  /** Quarantines a plugin from the next start on, because its state is unknown. Synchronous; never throws. @param reason end of a sentence: `it <reason>` */
  record(name: string, reason: string): void;
  /** Ends the quarantine of a plugin, or of all. */
  forget(name?: string): void;
  /** Ends the quarantine of a plugin and loads it. */
  again(name: string): Promise<void>;
  /** Stamp of the files that were loaded. */
  stampOf(name: string): string | undefined;
}

type Records = Readonly<Record<string, { readonly reason: string; readonly stamp?: string }>>;

/** Of the plugin that the marker of the last run names. */
export const diedReason = 'was being loaded when the program was killed or broke down.';

/** Records are stored in `plugin_faults.json`. */
export function createQuarantine({ home, say, load, marker, isSafe }: QuarantineParts): Quarantine {
  const path = join(home, 'plugin_faults.json');
  const loaded = new Map<string, { readonly source: FolderSource; readonly stamp: string | undefined }>();
  const strikes = new Map<string, number[]>();
  let records = read(path);
  if (marker.died) put(marker.died.plugin, diedReason, marker.died.stamp);

  function write(next: Records): void {
    records = next;
    try {
      writeFileSync(`${path}.tmp`, JSON.stringify(next, undefined, 2), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      // A read-only home: it holds for this run.
    }
  }

  const of = (name: string): Records[string] | undefined => (Object.hasOwn(records, name) ? records[name] : undefined);

  /** The first reason stays, for one stamp. */
  function put(name: string, reason: string, stamp = loaded.get(name)?.stamp): void {
    const known = of(name);
    if (!known || known.stamp !== stamp) write({ ...records, [name]: { reason, ...(stamp === undefined ? {} : { stamp }) } });
  }

  function forget(name?: string): void {
    const others = Object.fromEntries(Object.entries(records).filter(([one]) => name !== undefined && one !== name));
    if (Object.keys(others).length < Object.keys(records).length) write(others);
  }

  function guard(source: FolderSource): FolderSource {
    function begin(name: string, stamp: string | undefined): void {
      loaded.set(name, { source: guarded, stamp });
      for (const kind of Object.keys(limits)) strikes.delete(`${kind} ${name}`);
    }
    const guarded: FolderSource = {
      ...source,
      off({ name, path: file }) {
        if (isSafe) return 'off: this is a safe start, without third-party plugins. Restart without --safe to load it.';
        const fault = of(name);
        if (!fault) return undefined;
        if (!loaded.has(name)) loaded.set(name, { source: guarded, stamp: undefined });
        if (fault.stamp === undefined || fault.stamp === stampOf(file)?.text)
          return `quarantined, because it ${fault.reason} Switch it on to try it again, or change it.`;
        forget(name);
        return undefined;
      },
      importFile(file, version) {
        const stamp = stampOf(file.path)?.text;
        begin(file.name, stamp);
        marker.at(file.name, stamp);
        return source.importFile(file, version);
      },
      async known(files) {
        const found = (await source.known?.(files)) ?? new Map<string, KnownPlugin>();
        for (const { name, path: file } of files) if (found.has(file)) begin(name, found.get(file)?.stamp);
        return found;
      },
    };
    return guarded;
  }

  return {
    guard,
    heard(name, kind, message) {
      const one = loaded.get(name);
      if (!one) return;
      const key = `${kind} ${name}`;
      const recent = [...(strikes.get(key) ?? []).filter((at) => at > performance.now() - withinMs), performance.now()];
      strikes.set(key, recent);
      if (recent.length < limits[kind]) return;
      strikes.delete(key);
      const line = firstLine(message, 300);
      const reason = `${kindTexts[kind]} ${recent.length} times within ten minutes, the last time: ${/[.!?]$/.test(line) ? line : `${line}.`}`;
      put(name, reason);
      load(one.source, name).then(
        () => say(name, `was quarantined, because it ${reason}`),
        (fault: unknown) => say(name, `could not be quarantined: ${String(fault)}`),
      );
    },
    record: (name, reason) => put(name, reason),
    forget,
    async again(name) {
      if (!of(name)) return;
      forget(name);
      const one = loaded.get(name);
      if (one) await load(one.source, name);
    },
    stampOf: (name) => loaded.get(name)?.stamp,
  };
}

/** A file of another shape is moved away. */
function read(path: string): Records {
  try {
    const parsed = jsonOf(readFileSync(path, 'utf8'));
    const isRow = (value: unknown): boolean =>
      isRecord(value) && typeof value['reason'] === 'string' && ['string', 'undefined'].includes(typeof value['stamp']);
    if (isRecord(parsed) && Object.values(parsed).every(isRow)) return parsed as Records;
    renameSync(path, `${path}.corrupt-${Date.now()}`);
  } catch {
    // There is none.
  }
  return {};
}
