// Quarantines plugins after repeated or process-ending faults; their last version that ran well is loaded in their place.
import type { PluginModule, PluginReport } from 'agent-harness/kernel';
import { localDay } from 'agent-harness/lib/local-day';
import { firstLine } from 'agent-harness/lib/text';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginFaults } from './plugin-faults.ts';
import type { FolderSource, Instead } from './plugin-folders.ts';
import type { PluginVersions } from './plugin-versions.ts';
import type { DiedIn, StartMarker } from './start-marker.ts';
import type { UserSource } from './user-plugins.ts';

/** Faults of one kind within ten minutes after which a plugin is quarantined. A file that does not load fails by itself. */
const limits: Readonly<Record<PluginFaultKind, number>> = { error: 5, slow: 5, stall: 3, crash: 3, load: Infinity };
const withinMs = 10 * 60_000;
const kindTexts: Readonly<Record<PluginFaultKind, string>> = {
  error: 'failed',
  slow: 'was too slow',
  stall: 'kept others waiting',
  crash: 'ended',
  load: 'did not load',
};
/** Milliseconds of use without a fault after which a version counts as working. */
const provenAfterMs = 60_000;

const runsVersion = 'It runs its version of';

export interface QuarantineParts {
  readonly faults: PluginFaults;
  readonly versions: PluginVersions;
  readonly plugins: () => readonly PluginReport[];
  /** Calls and faults of a plugin so far. */
  readonly countsOf: (name: string) => { readonly calls: number; readonly faults: number };
  /** Reports a fault. */
  readonly say: (plugin: string, what: string) => void;
  /** Loads one plugin of the source again. */
  readonly load: (source: FolderSource, name: string) => Promise<unknown>;
  readonly starting: Pick<StartMarker, 'at'>;
  /** The plugin in which the last run ended. */
  readonly died: DiedIn | undefined;
  /** A safe start: no third-party plugin is loaded. */
  readonly isSafe: boolean;
  readonly provenAfterMs?: number | undefined;
}

export interface Quarantine {
  /** Wraps a source: quarantined plugins are left out or replaced. */
  guard(source: UserSource): FolderSource;
  /** Counts a fault; too many quarantine the plugin. */
  heard(name: string, kind: PluginFaultKind, message: string): void;
  /** Quarantines a plugin from the next start on, because its state is unknown. Synchronous. */
  record(name: string, reason: string): void;
  /** Ends the quarantine of a plugin and loads it. */
  again(name: string): Promise<void>;
  /** Loads a plugin again. */
  load(name: string): Promise<void>;
  /** Called before the code of a plugin runs while plugins load. */
  starts(name: string): void;
  /** Content hash of the loaded version. */
  contentOf(name: string): string | undefined;
  /** Whether a stored version runs, or would run if the current one fails. */
  isNeeded(name: string, content: string): boolean;
  /** Stops the checks for working versions. */
  end(): void;
}

interface Loaded {
  readonly source: FolderSource;
  readonly path: string;
  /** Content hash of the stored version that runs in its place. */
  version?: string | undefined;
  /** Content hash of its files when they were loaded. */
  content?: string | undefined;
  at: number;
  /** Number of faults until the load. */
  faults: number;
  isProven: boolean;
}

export function createQuarantine(parts: QuarantineParts): Quarantine {
  const { faults, versions } = parts;
  const loaded = new Map<string, Loaded>();
  const namesByPath = new Map<string, string>();
  const sources = new Map<string, FolderSource>();
  const strikes = new Map<string, number[]>();
  const provenMs = parts.provenAfterMs ?? provenAfterMs;
  let timer: NodeJS.Timeout | undefined;

  const { died } = parts;
  if (died) recordDied(died);

  /** Quarantines the plugin in which the last run ended. */
  function recordDied({ plugin, content, reason }: DiedIn): void {
    const known = faults.of(plugin);
    if (known && content !== undefined && known.content !== content) versions.drop(plugin, content);
    else faults.record(plugin, { reason, ...(content === undefined ? {} : { content }) });
  }

  /** The replacement of a plugin, if any. */
  function insteadOf(name: string, path: string): { readonly instead: Instead; readonly path?: string; readonly version?: string } | undefined {
    if (parts.isSafe) return { instead: { stamp: 'safe', off: 'off: this is a safe start, without third-party plugins. Restart without --safe to load it.' } };
    const fault = faults.of(name);
    if (!fault) return undefined;
    if (fault.content !== undefined && fault.content !== versions.contentOf(path)) {
      faults.forget(name); // it was changed since
      return undefined;
    }
    const reason = `quarantined, because it ${fault.reason}`;
    const version = versions.lastGood(name, path, fault.content);
    if (!version) return { instead: { stamp: 'off', off: `${reason} Switch it on to try it again, or change it.` } };
    const note = `${runsVersion} ${localDay(version.at)}: what its file holds now was ${reason} Switch it on to try it again, or change it.`;
    return { instead: { stamp: version.content, note }, path: version.path, version: version.content };
  }

  function guard(source: UserSource): FolderSource {
    const read = source.importFile as NonNullable<FolderSource['importFile']>;
    const kept = new Map<string, { readonly path?: string; readonly version?: string }>();
    const guarded: FolderSource = {
      ...source,
      instead(name, path) {
        namesByPath.set(path, name);
        sources.set(name, guarded);
        const found = insteadOf(name, path);
        kept.set(path, found ?? {});
        if (found?.version === undefined && loaded.get(name)?.version !== undefined) loaded.delete(name);
        return found?.instead;
      },
      importFile(path, stamp) {
        const name = namesByPath.get(path) ?? '';
        const { path: file = path, version } = kept.get(path) ?? {};
        const content = version ?? versions.contentOf(path);
        parts.starting.at(name, content);
        begin(name, { path, version, content });
        return read(file, stamp);
      },
      async known(files) {
        const found = await source.known(files.filter(({ path }) => kept.get(path)?.path === undefined));
        return new Map(
          files.flatMap(({ name, path }): [string, PluginModule<never>][] => {
            const one = found.get(path);
            if (!one) return [];
            const content = one.content ?? versions.contentOf(path);
            begin(name, { path, content });
            const { manifest, register } = one.module;
            return [[path, { ...(manifest ? { manifest } : {}), register: (...args) => (parts.starting.at(name, content), register(...args)) }]];
          }),
        );
      },
    };

    function begin(name: string, what: Pick<Loaded, 'path' | 'version' | 'content'>): void {
      loaded.set(name, { ...what, source: guarded, at: performance.now(), faults: parts.countsOf(name).faults, isProven: false });
      for (const key of strikes.keys()) if (key.endsWith(` ${name}`)) strikes.delete(key);
      if (what.version === undefined) prove();
    }
    return guarded;
  }

  /** Checks for working versions until each plugin has one or cannot get one. */
  function prove(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      const active = new Set(parts.plugins().flatMap(({ name, state }) => (state === 'active' ? [name] : [])));
      for (const [name, one] of loaded) {
        const { calls, faults: failed } = parts.countsOf(name);
        if (one.isProven || one.version !== undefined || one.source.origin !== 'user' || !active.has(name) || failed > one.faults) continue;
        if (calls === 0 || performance.now() - one.at < provenMs) continue;
        one.isProven = true;
        // A file saved meanwhile is another version.
        if (one.content !== undefined && versions.contentOf(one.path) === one.content) versions.keep(name, one.path);
      }
      if ([...loaded.values()].some((one) => !one.isProven && one.version === undefined)) prove();
    }, provenMs).unref();
  }

  function put(name: string, reason: string): void {
    const one = loaded.get(name);
    if (!one) return faults.record(name, { reason });
    if (one.version !== undefined) {
      // The stored version fails, too.
      versions.drop(name, one.version);
      return;
    }
    faults.record(name, { reason, ...(one.content === undefined ? {} : { content: one.content }) });
  }

  async function loadInstead(name: string, one: Loaded, reason: string): Promise<void> {
    for (;;) {
      await parts.load(one.source, name);
      const row = parts.plugins().find((plugin) => plugin.name === name);
      const version = loaded.get(name)?.version;
      const isIn = row?.state === 'active' && row.warnings.some((text) => text.startsWith(runsVersion));
      if (version === undefined || isIn)
        return parts.say(name, `was quarantined, because it ${reason}${isIn ? ' Its last version that ran well goes on in its place.' : ''}`);
      versions.drop(name, version);
    }
  }

  async function load(name: string): Promise<void> {
    const source = sources.get(name);
    if (source) await parts.load(source, name);
  }

  return {
    guard,
    heard(name, kind, message) {
      const one = loaded.get(name);
      if (!one) return;
      const now = performance.now();
      const key = `${kind} ${name}`;
      const recent = [...(strikes.get(key) ?? []).filter((at) => at > now - withinMs), now];
      strikes.set(key, recent);
      if (recent.length < limits[kind]) return;
      strikes.delete(key);
      const reason = `${kindTexts[kind]} ${recent.length} times within ten minutes, the last time: ${sentence(message)}`;
      put(name, reason);
      loaded.delete(name);
      void loadInstead(name, one, reason).catch((fault: unknown) => parts.say(name, `could not be quarantined: ${String(fault)}`));
    },
    record: put,
    async again(name) {
      if (!faults.of(name)) return;
      faults.forget(name);
      await load(name);
    },
    load,
    starts: (name) => parts.starting.at(name, loaded.get(name)?.content),
    contentOf: (name) => loaded.get(name)?.content,
    isNeeded(name, content) {
      const { version, path, content: now } = loaded.get(name) ?? {};
      return content === version || (path !== undefined && versions.lastGood(name, path, now)?.content === content);
    },
    end: () => clearTimeout(timer),
  };
}

function sentence(text: string): string {
  const line = firstLine(text, 300);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
