// The file of the registration cache: one row for each plugin file, read once, written once for all changes of a tick.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PluginManifest } from 'agent-harness/kernel';

/** Registrations for one combination of settings and services. */
export interface CachedRegistrations {
  /** Key of the combination. */
  readonly setting: string;
  /** Serialized, as the child sent them. */
  readonly bytes: Uint8Array;
}

export interface CachedValues {
  readonly manifest?: PluginManifest;
  readonly registered?: CachedRegistrations;
  readonly isChanging?: boolean;
}

export interface CacheRow {
  /** Stats of the files when they were read; left out where a change might not show in them. */
  readonly stats?: string;
  /** Hash of the files that `values` were read from. */
  readonly hash?: string;
  readonly values?: CachedValues;
  /** Hash of the files as stored versions are named by it. */
  readonly content?: { readonly stats: string; readonly hash: string };
}

export interface CacheFile {
  get(path: string): CacheRow | undefined;
  /** Written in the next tick. Never throws: a value that cannot be stored is computed again. */
  set(path: string, row: CacheRow): void;
  /** Drops rows of deleted files. */
  prune(): void;
}

/** Limits of the file; the least recently used rows are dropped. */
const most = { rows: 1_000, bytes: 32_000_000 };

/** Several processes may write the file: rows of others are kept, and the last write of a row wins. */
export function openCacheFile(folder: string, isWritten: boolean): CacheFile {
  const path = join(folder, 'plugins.bin');
  let rows: Map<string, CacheRow> | undefined;
  let readAt = '';
  const changed = new Map<string, CacheRow>();
  /** Plugins that were used since the program started. */
  const used = new Set<string>();
  let isWaiting = false;

  function read(): Map<string, CacheRow> {
    if (rows) return rows;
    readAt = stampOf(path);
    return (rows = rowsIn(path));
  }

  function willWrite(): void {
    if (isWaiting || !isWritten) return;
    isWaiting = true;
    setImmediate(() => {
      isWaiting = false;
      write();
    });
  }

  function write(): void {
    if (stampOf(path) !== readAt) rows = new Map([...rowsIn(path), ...changed]);
    for (const one of read().keys()) if (!existsSync(one)) read().delete(one);
    // Rows of this run are last, so they are dropped last.
    const all = (rows = new Map([...read()].sort(([one], [other]) => Number(used.has(one)) - Number(used.has(other)))));
    dropFirst(all, all.size - most.rows);
    try {
      let bytes = serialize(all);
      for (; bytes.length > most.bytes; bytes = serialize(all)) dropFirst(all, Math.ceil(all.size / 4));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const next = `${path}.${process.pid}.tmp`;
      writeFileSync(next, bytes, { mode: 0o600 });
      renameSync(next, path);
      changed.clear();
      readAt = stampOf(path);
    } catch {
      // A manifest that cannot be serialized, or a full disk.
    }
  }

  return {
    get(one) {
      used.add(one);
      return read().get(one);
    },
    set(one, row) {
      used.add(one);
      read().delete(one);
      read().set(one, row);
      changed.set(one, row);
      willWrite();
    },
    prune: willWrite,
  };
}

function dropFirst(rows: Map<string, CacheRow>, count: number): void {
  for (const one of [...rows.keys()].slice(0, Math.max(0, count))) rows.delete(one);
}

function rowsIn(path: string): Map<string, CacheRow> {
  try {
    const all: unknown = deserialize(readFileSync(path));
    return all instanceof Map ? (all as Map<string, CacheRow>) : new Map<string, CacheRow>();
  } catch {
    return new Map(); // it was never kept, or a newer node wrote it
  }
}

function stampOf(path: string): string {
  const { mtimeMs, ino, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${ino} ${size}`;
}
