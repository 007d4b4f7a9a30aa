// Quarantines plugins after repeated or process-ending errors, until their files change or the user enables them again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLine } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import { stampOf } from './plugin-files.ts';
import type { FolderSource } from './plugin-folders.ts';
import type { RunMarker } from './run-marker.ts';

/** Number of errors of each kind that quarantine a plugin if they occur within ten minutes. */
const limits = {
  /** A thrown error or a rejected promise. */
  error: { most: 5, text: 'failed' },
  /** A tap exceeded the time limit of its hook, or the plugin read events too slowly. */
  slow: { most: 5, text: 'was too slow' },
  /** The plugin blocked its process for more than a second. */
  stall: { most: 3, text: 'blocked the server' },
  /** The plugin's child process ended unexpectedly. */
  crash: { most: 3, text: 'ended' },
} as const;
export type PluginFaultKind = keyof typeof limits;
const withinMs = 10 * 60_000;
/** Reason for quarantining the plugin that the marker file of the last run names. */
export const diedReason = 'was being loaded when the program was killed or crashed.';

export interface QuarantineParts {
  readonly home: string;
  /** Reports an error to the user. */
  readonly say: (plugin: string, what: string) => void;
  /** Reloads one plugin of the source. */
  readonly load: (source: FolderSource, name: string) => Promise<unknown>;
  readonly died: RunMarker['died'];
  /** Whether the server was started in safe mode, without third-party plugins. */
  readonly isSafe: boolean;
}

export type Quarantine = ReturnType<typeof createQuarantine>;

type Records = Readonly<Record<string, { readonly reason: string; readonly stamp?: string }>>;

/** Creates the quarantine, whose records are stored in `plugin_faults.json`. */
export function createQuarantine({ home, say, load, died, isSafe }: QuarantineParts) {
  const path = join(home, 'plugin_faults.json');
  const sources = new Map<string, FolderSource>();
  const stamps = new Map<string, string | undefined>();
  const strikes = new Map<string, number[]>();
  let records = read(path);
  if (died) record(died.plugin, diedReason, died.stamp);

  function write(next: Records): void {
    records = next;
    try {
      writeFileSync(`${path}.tmp`, JSON.stringify(next, undefined, 2), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch {
      // In a read-only home folder, the record applies only to this run.
    }
  }

  function of(name: string): Records[string] | undefined {
    return Object.hasOwn(records, name) ? records[name] : undefined;
  }

  /**
   * Quarantines a plugin from the next start on, because its state is unknown. The first reason is kept until the files change. Synchronous; never throws.
   * @param reason the end of a sentence: `it <reason>`
   */
  function record(name: string, reason: string, stamp = stamps.get(name)): void {
    const known = of(name);
    if (!known || known.stamp !== stamp) write({ ...records, [name]: { reason, ...(stamp === undefined ? {} : { stamp }) } });
  }

  /** Ends the quarantine of a plugin, or of all plugins. */
  function forget(name?: string): void {
    const others = Object.entries(records).filter(([one]) => name !== undefined && one !== name);
    if (others.length < Object.keys(records).length) write(Object.fromEntries(others));
  }

  /** Wraps a source so that quarantined plugins are not loaded. */
  function guard(source: FolderSource): FolderSource {
    const guarded: FolderSource = {
      ...source,
      off({ name, path: file }) {
        sources.set(name, guarded);
        if (isSafe) return 'off: the server was started in safe mode, without third-party plugins. Restart without --safe to load the plugin.';
        const fault = of(name);
        if (!fault) return undefined;
        if (fault.stamp === undefined || fault.stamp === stampOf(file))
          return `quarantined, because it ${fault.reason} Enable the plugin to try again, or fix it.`;
        forget(name);
        return undefined;
      },
      importFile(file, version) {
        stamps.set(file.name, stampOf(file.path));
        for (const kind of Object.keys(limits)) strikes.delete(`${kind} ${file.name}`);
        return source.importFile(file, version);
      },
    };
    return guarded;
  }

  return {
    guard,
    /** Counts an error; too many errors quarantine the plugin. */
    heard(name: string, kind: PluginFaultKind, message: string): void {
      const source = sources.get(name);
      if (!source) return;
      const { most, text } = limits[kind];
      const key = `${kind} ${name}`;
      const now = performance.now();
      const recent = [...(strikes.get(key) ?? []).filter((then) => then > now - withinMs), now];
      strikes.set(key, recent);
      if (recent.length < most) return;
      strikes.delete(key);
      const line = firstLine(message, 300);
      const reason = `${text} ${most} times within ten minutes. Last error: ${/[.!?]$/.test(line) ? line : `${line}.`}`;
      record(name, reason);
      load(source, name).then(
        () => say(name, `was quarantined, because it ${reason}`),
        (fault: unknown) => say(name, `could not be quarantined: ${String(fault)}`),
      );
    },
    record: (name: string, reason: string) => record(name, reason),
    forget,
    /** Ends the quarantine of a plugin and loads it. */
    async again(name: string): Promise<void> {
      const source = sources.get(name);
      if (!of(name)) return;
      forget(name);
      if (source) await load(source, name);
    },
    /** Returns the stamp of the files that were loaded. */
    stampOf: (name: string) => stamps.get(name),
  };
}

/** Reads the records; quarantines an invalid file. */
function read(path: string): Records {
  try {
    const parsed = jsonOf(readFileSync(path, 'utf8'));
    const isRow = (value: unknown): boolean =>
      isRecord(value) && typeof value['reason'] === 'string' && ['string', 'undefined'].includes(typeof value['stamp']);
    if (isRecord(parsed) && Object.values(parsed).every(isRow)) return parsed as Records;
    renameSync(path, `${path}.corrupt-${Date.now()}`);
  } catch {
    // The file does not exist.
  }
  return {};
}
