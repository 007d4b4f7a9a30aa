// Compares installed plugins with the lock file by the hash of each file, and detects missing and added files.
import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileRow, LockRow } from 'agent-harness/builtins/connections/plugin-life';
import { hasCode } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { isRecord, jsonOf, stableJson } from '#lib/values';
import type { SaidManifest } from 'agent-harness/plugins/settings';
import { filesBelow } from './plugin-files.ts';

/** As the end of a sentence. */
export const otherThanAgreed = 'it asks for something else than what was agreed to when it was installed. Remove it.';

export type LockCheck = ReturnType<typeof createLockCheck>;

/** Reads the lock file on first use, so create one check per load of plugins. @param dir plugin folder */
export function createLockCheck(home: string, dir: string) {
  const path = join(home, 'plugins.lock.json');
  let rows: Readonly<Record<string, LockRow>> | 'unreadable' | undefined;

  function rowOf(name: string | undefined): LockRow | undefined {
    rows ??= readRows(path);
    return name !== undefined && rows !== 'unreadable' && Object.hasOwn(rows, name) ? rows[name] : undefined;
  }
  /** Installed plugins are folders. */
  const nameAt = (file: string): string | undefined => (dirname(dirname(file)) === dir ? dirname(file).slice(dir.length + 1) : undefined);

  /** Returns why a plugin must not be loaded, with advice. */
  function faultOf(name: string): string | undefined {
    const row = rowOf(name);
    if (rows === 'unreadable') return `${path} cannot be read, so nobody knows what was installed. Put it back, or delete it if all plugins are your own.`;
    if (!row) return undefined;
    const folder = join(dir, name);
    const fault = differenceOf(folder, row.files);
    if (fault === undefined || (row.before && differenceOf(folder, row.before) === undefined)) return undefined;
    return `${fault}, so it is not what was installed (${row.resolved}). Install it again, or remove it. To keep a change of yours, install the changed folder.`;
  }

  return {
    faultOf,
    /** The same for the file to be loaded. */
    faultAt(file: string): string | undefined {
      const name = nameAt(file);
      return name === undefined ? undefined : faultOf(name);
    },
    /** Returns the approved isolation of an installed plugin; `undefined` for the user's own. */
    placeOf: (file: string) => rowOf(nameAt(file))?.isolation,
    /** Throws if the manifest of an installed plugin differs from the approved one. */
    refuseOther(file: string, { capabilities = {}, requires = [], optional = [] }: SaidManifest): void {
      const row = rowOf(nameAt(file));
      const said = { capabilities, services: [...requires, ...optional] };
      if (row && stableJson(said) !== stableJson({ capabilities: row.capabilities, services: row.services })) throw new Error(otherThanAgreed);
    },
  };
}

function readRows(path: string): Readonly<Record<string, LockRow>> | 'unreadable' {
  try {
    const lock = jsonOf(readFileSync(path, 'utf8'));
    const rows = isRecord(lock) ? lock['plugins'] : undefined;
    const isFit = isRecord(rows) && Object.values(rows).every((row) => isRecord(row) && Array.isArray(row['files']));
    return isFit ? (rows as unknown as Readonly<Record<string, LockRow>>) : 'unreadable';
  } catch (fault) {
    return hasCode(fault, 'ENOENT') ? {} : 'unreadable';
  }
}

/** As the beginning of a sentence. */
function differenceOf(folder: string, files: readonly FileRow[]): string | undefined {
  const wanted = new Map(files.map(({ path, sha256: hash }) => [join(folder, path), hash]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return `${folder} is gone`;
  for (const { file, isFile } of filesBelow(folder)) {
    // Written by file managers.
    if (['.DS_Store', 'Thumbs.db'].includes(basename(file))) continue;
    const hash = wanted.get(file);
    if (hash === undefined || !isFile) return `${file} was not in it`;
    wanted.delete(file);
    if (sha256(readFileSync(file)) !== hash) return `${file} was changed`;
  }
  for (const missing of wanted.keys()) return `${missing} is missing`;
  return undefined;
}
