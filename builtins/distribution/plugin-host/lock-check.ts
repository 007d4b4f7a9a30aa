// Compares installed plugins with the lock file by hashing each file; detects missing and added files.
import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileRow, LockRow } from 'agent-harness/builtins/connections/plugin-life';
import { hasCode } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { isRecord, jsonOf, stableJson } from '#lib/values';
import type { SaidManifest } from 'agent-harness/plugins/settings';
import { filesBelow } from './plugin-files.ts';

/** Reason, as the end of a sentence, for refusing a plugin whose manifest was changed. */
export const otherThanAgreed = 'its manifest differs from the one that was approved at installation. Remove the plugin or install it again.';

export type LockCheck = ReturnType<typeof createLockCheck>;

/** Creates a check. It reads the lock file once, on first use, so create a new check each time plugins are loaded. @param dir path of the plugin folder */
export function createLockCheck(home: string, dir: string) {
  const path = join(home, 'plugins.lock.json');
  let rows: Readonly<Record<string, LockRow>> | 'unreadable' | undefined;

  function rowOf(name: string | undefined): LockRow | undefined {
    rows ??= readRows(path);
    return name !== undefined && rows !== 'unreadable' && Object.hasOwn(rows, name) ? rows[name] : undefined;
  }
  /** Returns the name of the plugin that a file belongs to; installed plugins are folders. */
  const nameAt = (file: string): string | undefined => (dirname(dirname(file)) === dir ? dirname(file).slice(dir.length + 1) : undefined);

  /** Returns the reason, with a remedy, why a plugin must not be loaded; `undefined` if it may be loaded. */
  function faultOf(name: string): string | undefined {
    const row = rowOf(name);
    if (rows === 'unreadable')
      return `${path} cannot be read, so the installed plugins cannot be checked. Restore the file, or delete it if you wrote all plugins yourself.`;
    if (!row) return undefined;
    const folder = join(dir, name);
    const fault = differenceOf(folder, row.files);
    if (fault === undefined || (row.before && differenceOf(folder, row.before) === undefined)) return undefined;
    return `${fault}, so the plugin differs from the installed version (${row.resolved}). Install it again, or remove it. To keep your changes, install the changed folder.`;
  }

  return {
    faultOf,
    /** Returns the same as `faultOf`, for the plugin that a file belongs to. */
    faultAt(file: string): string | undefined {
      const name = nameAt(file);
      return name === undefined ? undefined : faultOf(name);
    },
    /** Returns the approved isolation of an installed plugin; `undefined` for the user's own plugins. */
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

/** Returns the first difference, as the beginning of a sentence; `undefined` if the files are unchanged. */
function differenceOf(folder: string, files: readonly FileRow[]): string | undefined {
  const wanted = new Map(files.map(({ path, sha256: hash }) => [join(folder, path), hash]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return `${folder} is missing`;
  for (const { file, isFile } of filesBelow(folder)) {
    // File managers create these files.
    if (['.DS_Store', 'Thumbs.db'].includes(basename(file))) continue;
    const hash = wanted.get(file);
    if (hash === undefined || !isFile) return `${file} was added`;
    wanted.delete(file);
    if (sha256(readFileSync(file)) !== hash) return `${file} was changed`;
  }
  for (const missing of wanted.keys()) return `${missing} is missing`;
  return undefined;
}
