// The file of the registration cache: one row for each plugin file, read once, written once for all changes of a tick.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PluginManifest } from 'agent-harness/kernel';

/** What it registered with certain settings and services. */
export interface CachedRegistrations {
  /** Another one for each setting. */
  readonly setting: string;
  /** As they crossed. */
  readonly bytes: Uint8Array;
}

export interface CachedValues {
  readonly manifest?: PluginManifest;
  readonly registered?: CachedRegistrations;
  readonly isChanging?: boolean;
}

export interface CacheRow {
  /** Of its files, as they were when the rest was read; left out where a change of them might not show in that. */
  readonly stats?: string;
  /** Of what its files hold, for what was read of them. */
  readonly hash?: string;
  readonly values?: CachedValues;
  /** Of what its files hold, as versions of it are named. */
  readonly content?: { readonly stats: string; readonly hash: string };
}

export interface CacheFile {
  get(path: string): CacheRow | undefined;
  /** On the disk soon. Never throws: what cannot be kept is worked out again. */
  set(path: string, row: CacheRow): void;
  /** Leaves out what is of files that are gone. */
  prune(): void;
}

/** Plugins of which something is kept; those that were used least lately give way. */
const most = { rows: 1_000, bytes: 32_000_000 };

/** Several processes may have it: what another one wrote meanwhile is kept, and of one plugin the last that was written. */
export function openCacheFile(folder: string, isWritten: boolean): CacheFile {
  const path = join(folder, 'plugins.bin');
  let rows: Map<string, CacheRow> | undefined;
  let readAt = '';
  const changed = new Map<string, CacheRow>();
  /** Of which plugins was asked since the program began. */
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
    // Those of this run stand last, so they stay the longest.
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
      // A manifest with what cannot be written, or a full disk.
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
