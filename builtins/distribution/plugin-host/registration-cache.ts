// Caches manifest and registrations of isolated plugins by their files, so that a plugin starts at first use.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { version } from '../../../package.json';
import type { PluginManifest } from 'agent-harness/kernel';
import { sha256 } from 'agent-harness/lib/hash';
import { openCacheFile, type CachedRegistrations, type CacheRow, type CachedValues } from './cache-file.ts';
import type { Setting } from './child-registry.ts';

export interface CachedPlugin {
  /** `undefined` after a change of the files, or before the first read. */
  readonly manifest: PluginManifest | undefined;
  readonly registered: CachedRegistrations | undefined;
  /** Its registrations differ between runs, so it is started with the server. */
  readonly isChanging: boolean;
  /** Hash of all files, as {@link CachedPlugins.contentOf} caches it; `undefined` where it is not cached for these files. */
  readonly content: string | undefined;
  /** Whether the files are those that were read and approved. */
  isUnchanged(): boolean;
  /** Contract: never throws; a value that cannot be stored is computed again. */
  keep(what: CachedValues): void;
}

/** The cache of one home folder. */
export interface CachedPlugins {
  /** @param readable the plugin's file or folder, and a folder beside it */
  of(path: string, readable: readonly string[]): CachedPlugin;
  /** The same for unchanged files, by their stats and without reading them; `undefined` otherwise. */
  ofSame(path: string, readable: readonly string[]): CachedPlugin | undefined;
  /** Hash of all files of a plugin. `read` computes it after a change. */
  contentOf(path: string, read: () => string | undefined): string | undefined;
  /** Changes after a change of the files was found, so that a reload reads the plugin again. */
  stampOf(path: string): string;
  /** Drops rows of deleted files with the next write. */
  forget(): void;
}

/** Files of one plugin; a plugin with more is not cached and not isolated. */
const mostFiles = 2_000;
/** Milliseconds after a change in which another change may leave the modification time as it is. */
const restsAfterMs = 2_000;

/** Opens the cache file below `folder`, read at first use. @param isWritten false: kept in memory only */
export function openRegistrationCache(folder: string, isWritten: boolean, restMs = restsAfterMs): CachedPlugins {
  const file = openCacheFile(folder, isWritten);
  /** How often files were found to have changed since they were read, by path. */
  const changes = new Map<string, number>();

  /** The row of these files; empty after a change. */
  function rowOf(path: string, readable: readonly string[]): { row: CacheRow; readonly stats: string | undefined } {
    const seen = statsOf(path, readable, restMs);
    const known = file.get(path);
    const isSame = seen !== undefined && known !== undefined && known.stats === seen.text;
    return { row: isSame ? known : {}, stats: seen?.isSettled ? seen.text : undefined };
  }

  return {
    stampOf: (path) => String(changes.get(path) ?? ''),
    forget: () => file.prune(),
    contentOf(path, read) {
      const seen = statsOf(path, ownFiles(path), restMs);
      const known = file.get(path)?.content;
      if (seen !== undefined && known?.stats === seen.text) return known.hash;
      const hash = read();
      if (seen?.isSettled === true && hash !== undefined) file.set(path, { ...file.get(path), content: { stats: seen.text, hash } });
      return hash;
    },
    of: (path, readable) => keptOf(path, readable, rowOf(path, readable)),
    ofSame(path, readable) {
      const found = rowOf(path, readable);
      return found.row.hash === undefined ? undefined : keptOf(path, readable, found);
    },
  };

  function keptOf(path: string, readable: readonly string[], { row, stats }: ReturnType<typeof rowOf>): CachedPlugin {
    // Files are read only after a change of their stats.
    const hash = row.hash ?? hashOf(path, readable);
    const before = file.get(path);
    let values: CachedValues = hash !== undefined && before?.hash === hash ? (before.values ?? {}) : {};
    if (row.hash === undefined && stats !== undefined && before?.hash !== undefined && before.hash === hash) file.set(path, { ...before, stats });
    const content = row.content !== undefined && row.content.stats === row.stats ? row.content.hash : undefined;
    return {
      content,
      get manifest() {
        return values.manifest;
      },
      get registered() {
        return values.registered;
      },
      get isChanging() {
        return values.isChanging === true;
      },
      isUnchanged() {
        // Files that cannot be read as a whole never count as those that were read.
        const isSame = hash !== undefined && hashOf(path, readable) === hash;
        if (isSame) return true;
        file.set(path, {});
        changes.set(path, (changes.get(path) ?? 0) + 1);
        return false;
      },
      keep(what) {
        // The manifest of the file stays, whatever place was chosen.
        const { manifest = what.manifest } = values;
        values = { ...what, ...(manifest ? { manifest } : {}) };
        const { content: held } = file.get(path) ?? {};
        if (hash !== undefined) file.set(path, { hash, values, ...(stats === undefined ? {} : { stats }), ...(held === undefined ? {} : { content: held }) });
      },
    };
  }
}

/** A folder with an index is the plugin; a file may keep a folder of its name beside it. */
export function ownFiles(path: string): readonly string[] {
  return /^index\.m?js$/.test(basename(path)) ? [dirname(path)] : [path, path.replace(/\.m?js$/, '')];
}

/** Key of the settings that registrations depend on; hashed, because settings may be secret. */
export function settingKey({ config, services, dataDir }: Setting): string {
  return sha256(JSON.stringify([config, services, dataDir]));
}

/** Size, times and inode of each file; `isSettled`: a later change would change them. */
function statsOf(path: string, readable: readonly string[], restMs: number): { readonly text: string; readonly isSettled: boolean } | undefined {
  const parts = [version, process.version];
  let newest = 0;
  let left = mostFiles;
  const add = (file: string): void => {
    if (--left < 0) throw new RangeError('more files than are looked at');
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    newest = Math.max(newest, mtimeMs, ctimeMs);
    parts.push(`${file} ${size} ${mtimeMs} ${ctimeMs} ${ino}`);
  };
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory()) look(full);
      else add(full);
    }
  };
  try {
    add(path);
    for (const one of readable) if (one !== path && statSync(one, { throwIfNoEntry: false })?.isDirectory()) look(one);
    return { text: parts.join('\n'), isSettled: newest < Date.now() - restMs };
  } catch {
    return undefined;
  }
}

/** Hash of the content of all files; `undefined` with links, or with more than {@link mostFiles} files. */
function hashOf(path: string, readable: readonly string[]): string | undefined {
  const hash = createHash('sha256').update(`${version} ${process.version} `);
  let left = mostFiles;
  const look = (folder: string): boolean => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const full = join(folder, entry.name);
      if (--left < 0) return false;
      if (entry.isDirectory()) {
        if (!look(full)) return false;
      } else {
        if (!entry.isFile()) return false;
        const bytes = readFileSync(full);
        hash.update(`${full} ${bytes.length}\n`).update(bytes);
      }
    }
    return true;
  };
  try {
    hash.update(readFileSync(path));
    const folders = readable.filter((one) => one !== path && statSync(one, { throwIfNoEntry: false })?.isDirectory());
    return folders.every(look) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}
