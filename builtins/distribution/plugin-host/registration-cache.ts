// Caches manifest and registrations of isolated plugins by their file hashes, so that a plugin starts on first use.
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
  /** `setting`: {@link settingKey} of the settings and services that it registered with; `bytes`: serialized, as the child sent them. */
  readonly registered?: { readonly setting: string; readonly bytes: Uint8Array };
  /** The registrations differ between runs, so the plugin starts with the server. */
  readonly isChanging?: boolean;
}

export interface CachedPlugin {
  /** Empty after a change of the files, and before the first {@link CachedPlugin.keep}. */
  readonly values: CachedValues;
  /** Whether the files are unchanged since they were read and approved. */
  isUnchanged(): boolean;
  /** Never throws; a value that cannot be stored is computed again. */
  keep(values: CachedValues): void;
}

/** The cache of one home folder. */
export type RegistrationCache = ReturnType<typeof openRegistrationCache>;

interface Row {
  /** Hash of the files that `values` were read from. */
  readonly hash: string;
  readonly values: CachedValues;
}

/** A plugin that registers more is started with the server. */
const mostRowBytes = 1_000_000;
/** A cache of another version is empty. */
const versions = `${version} ${process.version}`;

/**
 * Opens `plugins.bin` below `folder`, read at first use. If several processes write, the last one wins: lost rows are recreated. @param isWritten false: in
 * memory only
 */
export function openRegistrationCache(folder: string, isWritten: boolean) {
  const file = join(folder, 'plugins.bin');
  /** Number of detected changes since the files were read, by path. */
  const changes = new Map<string, number>();
  let rows: Map<string, Row> | undefined;
  let isWaiting = false;

  const all = (): Map<string, Row> => (rows ??= readRows(file));

  /** Deletes the rows of deleted files. Writes once for all changes of a tick. */
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
      // A full or read-only disk.
    }
  }

  /** @param path of the loaded file */
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
        // The manifest of the file stays, regardless of the chosen isolation.
        values = values.manifest ? { ...next, manifest: values.manifest } : next;
        if (hash === undefined || !isStorable(values)) return;
        all().set(path, { hash, values });
        prune();
      },
    };
  }

  return {
    of,
    /** Changes whenever changed files are detected, so that a reload reads the plugin again. */
    changesOf: (path: string) => String(changes.get(path) ?? ''),
    prune,
  };
}

/** Key of the settings that registrations depend on; hashed, because settings may be secret. */
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
    return new Map(); // none yet, or of another format
  }
}
