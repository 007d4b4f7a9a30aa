// Resolves the path of a vault note. The note must be in the vault, not hidden, and not behind a link that leads out of the vault.
import { lstat, realpath, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { codeOf, explainFault, failure, isMissing } from '#lib/errors';
import { isThere } from '#lib/files';
import { isWithin, wayFrom } from '#lib/paths';

/** Path of the vault's subfolder for the program's notes. */
export const ownPrefix = 'agent/';

export interface Place {
  /** Path relative to the vault, with `/`. */
  readonly path: string;
  /** Absolute path; for an existing note, without symbolic links. */
  readonly absolute: string;
  /** Stats of the note; omitted if the path does not exist. */
  readonly stats?: Stats;
}

export interface Root {
  /** Absolute real path of the vault. */
  readonly path: string;
  /** Returns whether a real path in the vault belongs to the program's home folder. */
  isForbidden(absolute: string): boolean;
}

const maxPath = 1024;
/** Maximum length of a path component in bytes; leaves room for the longer name of a temporary file in the same folder. */
const maxComponent = 200;

/** Opens the vault. Throws a failure that describes what is wrong with the setting. */
export async function openRoot(setting: string, home: string): Promise<Root> {
  const hint = 'Tell the user: AGENT_VAULT_PATH must be the absolute path of an existing folder.';
  if (!isAbsolute(setting)) throw failure(`The vault's path "${setting}" is not absolute.`, hint);
  const path = await realpath(setting).catch((fault: unknown) => {
    throw isMissing(fault) ? failure(`The vault's folder ${setting} does not exist.`, hint) : explainFault(fault, setting);
  });
  if (!(await stat(path)).isDirectory()) throw failure(`The vault's path ${setting} is not a folder.`, hint);
  const realHome = await realpath(home).catch(() => resolve(home));
  const isInHome = path !== realHome && isWithin(realHome, path);
  return { path, isForbidden: (absolute) => isWithin(realHome, absolute) && !(isInHome && isWithin(path, absolute)) };
}

/** Returns the location of an existing note. Follows links that stay inside the vault. */
export async function locateNote(root: Root, input: string): Promise<Place> {
  const asked = checkPath(root, input);
  for (const path of new Set([asked, asked.normalize('NFC'), asked.normalize('NFD')])) {
    const place = await locateExisting(root, path);
    if (place) return place;
  }
  throw failure(`There is no note ${asked} in the vault.`, 'Use vault_search to find it.');
}

/** Returns the location for writing a note; its path must not contain a link. */
export async function locateForWriting(root: Root, input: string): Promise<Place> {
  const path = checkPath(root, input).normalize('NFC');
  if (path.split('/').some((part) => Buffer.byteLength(part) > maxComponent)) throw failure(`The name of ${path} is too long.`, 'Give a shorter path.');
  const absolute = join(root.path, path);
  await refuseLinks(root, absolute, path);
  const stats = await lstat(absolute).catch((fault: unknown) => {
    if (isMissing(fault)) return undefined;
    throw explainFault(fault, path);
  });
  if (stats && !stats.isFile()) throw failure(`${path} is not a regular file; nothing was written.`);
  return { path, absolute, ...(stats ? { stats } : {}) };
}

/** Throws if a folder on the path was replaced, for example with a link. */
export async function refuseLinks(root: Root, absolute: string, shown: string): Promise<void> {
  let folder = dirname(absolute);
  for (;;) {
    const real = await realpath(folder).catch((fault: unknown) => {
      if (isMissing(fault)) return undefined;
      throw explainFault(fault, shown);
    });
    if (real === folder) break;
    if (real !== undefined || (await isThere(folder))) throw failure(`${shown}: a parent folder is a symbolic link; nothing was written.`);
    folder = dirname(folder);
  }
  if (!isWithin(root.path, folder) || root.isForbidden(absolute)) throw failure(`${shown} is not in the vault.`);
}

export function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}

async function locateExisting(root: Root, path: string): Promise<Place | undefined> {
  let absolute: string;
  try {
    absolute = await realpath(join(root.path, path));
  } catch (fault) {
    const code = codeOf(fault);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw explainFault(fault, path);
  }
  const real = wayFrom(root.path, absolute);
  if (!isWithin(root.path, absolute) || isHidden(real) || root.isForbidden(absolute)) {
    throw failure(`${path} is a symbolic link out of the vault and was not opened.`);
  }
  const stats = await stat(absolute);
  if (!stats.isFile()) throw failure(`${path} is not a note but ${stats.isDirectory() ? 'a folder' : 'a special file'}.`, 'Use vault_search.');
  return { path, absolute, stats };
}

/** Returns the path relative to the vault, with its extension. Throws a failure for an invalid path. */
function checkPath(root: Root, input: string): string {
  const text = input.trim();
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) throw failure('The path of the note is empty or has control characters.');
  if (Buffer.byteLength(text) > maxPath) throw failure('The path of the note is too long.');
  const inside = isAbsolute(text) && isWithin(root.path, text) ? relative(root.path, text) : text;
  if (isAbsolute(inside) || /^[a-z]:[\\/]/i.test(inside)) throw failure(`${text} is not in the vault.`, 'Give a path relative to the vault.');
  const parts = inside.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw failure(`"${text}" leads out of the vault.`, 'Give a path relative to the vault, without "..".');
  if (parts.length === 0) throw failure(`"${text}" is not a note.`);
  if (parts.some((part) => part.startsWith('.'))) throw failure(`${text} is hidden (the name starts with a dot) and cannot be used.`);
  if (parts.some((part) => Buffer.byteLength(part) > 255)) throw failure('A name in the path is too long.');
  const path = parts.join('/');
  return /\.(md|markdown)$/i.test(path) ? path : `${path}.md`;
}
