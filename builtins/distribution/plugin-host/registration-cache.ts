// Caches the manifest and the registrations of isolated plugins by the hash of their files, so that a plugin need not be started until it is used.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { version } from '../../../package.json';
import type { PluginManifest } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import { hashOf } from './plugin-files.ts';
import type { Setting } from './child-registry.ts';

export interface CachedValues {
  readonly manifest?: PluginManifest;
  /**
   * Registrations. `setting`: {@link settingKey} of the settings and services with which the plugin registered; `text`: as the child sent it.
   */
  readonly registered?: { readonly setting: string; readonly text: string };
  /** Whether the registrations differ between runs; the plugin must then start with the server. */
  readonly isChanging?: boolean;
}

export interface CachedPlugin {
  /** Cached values; empty after the files have changed, and before the first {@link CachedPlugin.keep}. */
  readonly values: CachedValues;
  /** Returns whether the files are unchanged since they were read and approved. */
  isUnchanged(): boolean;
  /** Stores values. Never throws; a value that cannot be stored is computed again. */
  keep(values: CachedValues): void;
}

/** The cache of one home folder. */
export type RegistrationCache = ReturnType<typeof openRegistrationCache>;

interface Row {
  /** Hash of the files from which `values` were derived. */
  readonly hash: string;
  readonly values: CachedValues;
}

/** Maximum size of a row in bytes; a plugin with more registrations is started with the server. */
const mostRowBytes = 1_000_000;
/** Versions of the file format, the product and Node; a cache written by other versions is ignored. */
const versions = `2 ${version} ${process.version}`;

/**
 * Opens `plugins.bin` in `folder`, which is read on first use. If several processes write the file, the last writer wins, and lost rows are computed again.
 * @param isWritten whether to write the file; if not, the cache is only in memory
 */
export function openRegistrationCache(folder: string, isWritten: boolean) {
  const file = join(folder, 'plugins.bin');
  /** Number of changes detected per path since the files were read. */
  const changes = new Map<string, number>();
  let rows: Map<string, Row> | undefined;
  let isWaiting = false;

  const all = (): Map<string, Row> => (rows ??= readRows(file));

  /** Removes the rows of deleted files, and writes once for all changes of an event-loop tick. */
  function prune(): void {
    if (isWaiting || !isWritten) return;
    isWaiting = true;
    setImmediate(write);
  }

  function write(): void {
    isWaiting = false;
    for (const path of all().keys()) if (!existsSync(path)) all().delete(path);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const next = `${file}.${process.pid}.tmp`;
      writeFileSync(next, serialize([versions, all()]), { mode: 0o600 });
      renameSync(next, file);
    } catch {
      // The disk is full or read-only.
    }
  }

  /** @param path path of the loaded file */
  function of(path: string): CachedPlugin {
    const hash = hashOf(path);
    const row = all().get(path);
    let values: CachedValues = row && hash !== undefined && row.hash === hash ? row.values : {};
    return {
      get values() {
        return values;
      },
      isUnchanged() {
        // Files that cannot be read completely never count as unchanged.
        if (hash !== undefined && hashOf(path) === hash) return true;
        changes.set(path, (changes.get(path) ?? 0) + 1);
        return false;
      },
      keep(next) {
        // The manifest of the file remains cached, regardless of the chosen isolation.
        values = values.manifest ? { ...next, manifest: values.manifest } : next;
        if (hash === undefined || !isStorable(values)) return;
        all().set(path, { hash, values });
        prune();
      },
    };
  }

  return {
    of,
    /** Returns a text that changes whenever changed files are detected, so that a reload reads the plugin again. */
    changesOf: (path: string) => String(changes.get(path) ?? ''),
    prune,
  };
}

/** Returns the key of the settings on which registrations depend. The key is a hash, because settings may be secret. */
export function settingKey({ config, services, dataDir }: Setting): string {
  return sha256(JSON.stringify([config, services, dataDir]));
}

function isStorable(values: CachedValues): boolean {
  try {
    return serialize(values).length <= mostRowBytes;
  } catch {
    return false;
  }
}

function readRows(file: string): Map<string, Row> {
  try {
    const [found, rows] = deserialize(readFileSync(file)) as [string, Map<string, Row>];
    return found === versions && rows instanceof Map ? rows : new Map<string, Row>();
  } catch {
    return new Map(); // missing or in another format
  }
}
