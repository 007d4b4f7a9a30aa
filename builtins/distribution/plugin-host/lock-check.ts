// Compares installed plugins with the lock file: each file by its hash, none missing and none added.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EarlierRow, FileRow, LockRow } from 'agent-harness/builtins/connections/plugin-life';
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord, jsonOf, stableJson } from 'agent-harness/lib/values';
import type { SaidManifest } from 'agent-harness/plugins/settings';
import { versionsFolder, type PluginVersions } from './plugin-versions.ts';

export interface LockCheck {
  /** Why a plugin must not be loaded, and what to do. */
  faultOf(name: string): string | undefined;
  /** The same for the file that would be loaded. */
  faultAt(path: string): string | undefined;
  /** The approved place of an installed plugin; `undefined` for the user's own. Throws for a stored version that was not approved. */
  tierOf(path: string): LockRow['isolation'] | undefined;
  /** Whether the stored version of an installed plugin was approved. */
  isAgreed(path: string): boolean;
  /** Throws where the manifest of an installed plugin differs from what was approved. */
  refuseOther(path: string, manifest: SaidManifest): void;
}

/** As the end of a sentence. */
export const otherThanAgreed = 'it asks for something else than what was agreed to when it was installed. Remove it.';

/** Reads the lock file at first use, so create one for each load of plugins. @param dir the plugin folder */
export function createLockCheck(home: string, dir: string): LockCheck {
  let rows: Readonly<Record<string, LockRow>> | 'unreadable' | undefined;
  const path = join(home, 'plugins.lock.json');

  /** The row under which a stored version was installed. */
  function keptRowAt(folder: string): EarlierRow | 'unknown' | undefined {
    const [name = '', , inner] = folder.startsWith(join(home, versionsFolder, '/')) ? folder.slice(home.length + versionsFolder.length + 2).split('/') : [];
    if (rows === undefined || rows === 'unreadable' || inner !== name || !Object.hasOwn(rows, name)) return undefined;
    const row = rows[name];
    const agreed = [...(row ? [row] : []), ...(row?.earlier ?? [])];
    return agreed.find(({ files }) => differenceOf(folder, files) === undefined) ?? 'unknown';
  }

  function rowAt(file: string): EarlierRow | undefined {
    rows ??= readRows(path);
    const folder = dirname(file);
    const kept = keptRowAt(folder);
    if (kept === 'unknown') throw new Error('this version of it was not agreed to when it was installed. Remove it, and install it again.');
    if (kept) return kept;
    const name = folder.slice(dir.length + 1);
    return dirname(folder) === dir && rows !== 'unreadable' && Object.hasOwn(rows, name) ? rows[name] : undefined;
  }

  function faultOf(name: string): string | undefined {
    rows ??= readRows(path);
    if (rows === 'unreadable') return `${path} cannot be read, so nobody knows what was installed. Put it back, or delete it if all plugins are your own.`;
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (!row) return undefined;
    const folder = join(dir, name);
    const fault = differenceOf(folder, row.files);
    if (fault === undefined || (row.before && differenceOf(folder, row.before) === undefined)) return undefined;
    return `${fault}, so it is not what was installed (${row.resolved}). Install it again, or remove it. To keep a change of yours, install the changed folder.`;
  }

  return {
    faultOf,
    faultAt(file) {
      const folder = dirname(file);
      return dirname(folder) === dir ? faultOf(folder.slice(dir.length + 1)) : undefined;
    },
    tierOf: (file) => rowAt(file)?.isolation,
    isAgreed(file) {
      rows ??= readRows(path);
      const kept = keptRowAt(dirname(file));
      return kept !== undefined && kept !== 'unknown';
    },
    refuseOther(file, { capabilities = {}, requires = [], optional = [] }) {
      const row = rowAt(file);
      if (!row) return;
      const [said, agreed] = [{ capabilities, services: [...requires, ...optional] }, row];
      const isSame = (['capabilities', 'services'] as const).every((what) => stableJson(said[what]) === stableJson(agreed[what]));
      if (!isSame) throw new Error(otherThanAgreed);
    },
  };
}

/** Stores and restores only approved versions of installed plugins. @param open creates a check that reads the lock file again */
export function agreedVersions(versions: PluginVersions, open: () => LockCheck): PluginVersions {
  return {
    ...versions,
    keep: (name, path, wanted) => (open().faultAt(path) === undefined ? versions.keep(name, path, wanted) : undefined),
    lastGood(name, path, other) {
      const lock = open();
      return versions.lastGood(name, path, other, lock.tierOf(path) === undefined ? undefined : (version) => lock.isAgreed(version.path));
    },
  };
}

function readRows(path: string): Readonly<Record<string, LockRow>> | 'unreadable' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (fault) {
    return (fault as { readonly code?: string }).code === 'ENOENT' ? {} : 'unreadable';
  }
  const lock = jsonOf(text);
  const rows = isRecord(lock) ? lock['plugins'] : undefined;
  const isFit = isRecord(rows) && Object.values(rows).every((row) => isRecord(row) && Array.isArray(row['files']));
  return isFit ? (rows as unknown as Readonly<Record<string, LockRow>>) : 'unreadable';
}

/** As the beginning of a sentence. */
function differenceOf(folder: string, files: readonly FileRow[]): string | undefined {
  const wanted = new Map(files.map((row) => [row.path, row]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return `${folder} is gone`;
  for (const { path, isFile } of walk(folder, '')) {
    const row = wanted.get(path);
    if (!row || !isFile) return `${join(folder, path)} was not in it`;
    wanted.delete(path);
    if (sha256(readFileSync(join(folder, path))) !== row.sha256) return `${join(folder, path)} was changed`;
  }
  for (const missing of wanted.keys()) return `${join(folder, missing)} is missing`;
  return undefined;
}

function* walk(folder: string, below: string): Generator<{ readonly path: string; readonly isFile: boolean }> {
  for (const name of readdirSync(join(folder, below))) {
    // Written by file managers.
    if (name === '.DS_Store' || name === 'Thumbs.db') continue;
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) yield* walk(folder, path);
    else yield { path, isFile: stats.isFile() };
  }
}
