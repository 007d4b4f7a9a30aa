// Resolves a path that the model gave, and checks whether it is inside the workspace.
import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { explainFault, failure, isMissing } from '#lib/errors';
import { isWithin, wayFrom } from '#lib/paths';

export interface Located {
  /** Absolute path without symbolic links, including the last component. */
  readonly path: string;
  /** Path for the model: relative to the workspace with `/`, or absolute outside it. */
  readonly shown: string;
  readonly isInside: boolean;
  /** Whether the last component of the given path is a symbolic link. */
  readonly isLink: boolean;
  /** Whether the file is a hard link, whose other names are unknown. */
  readonly hasOtherNames: boolean;
  /** Stats of the file; omitted if it does not exist. */
  readonly stats?: Stats;
}

export interface LocateParts {
  /** Path of the product's home folder. */
  readonly home: string;
}

const maxPath = 4096;
const maxComponent = 255;
// Virtual file systems, which expose environments, memory and devices.
const systemFolders = process.platform === 'win32' ? [] : ['/proc', '/sys', '/dev'];

/**
 * Resolves a path. Throws a failure for a forbidden path: a malformed path, a broken link, a system folder, or a file of the product. Synchronous, because
 * these checks take about 30 µs, and the thread pool several times that.
 */
export function locate(input: string, workspaceRoot: string, { home }: LocateParts): Located {
  checkText(input);
  const root = realpathSync.native(workspaceRoot);
  const asked = standing(resolve(root, input), input);
  const path = realPathOf(asked, input);
  refuseForbidden(path, root, realHome(home), input);
  const isInside = isWithin(root, path);
  const isLink = isLinkAt(asked);
  const stats = statOf(path, input);
  return {
    path,
    shown: isInside ? wayFrom(root, path) || '.' : path,
    isInside,
    isLink,
    hasOtherNames: stats?.isFile() === true && stats.nlink > 1,
    ...(stats ? { stats } : {}),
  };
}

/** Returns the relative path of a descendant, with `/`. Accepts only real paths; optimised for searches, which call it many thousands of times. */
export function relativeBelow(folder: string, path: string): string {
  const from = folder.endsWith(sep) ? folder : folder + sep;
  const way = path.startsWith(from) ? path.slice(from.length) : relative(folder, path);
  return sep === '/' ? way : way.split(sep).join('/');
}

/** Returns whether a real path is a file of the product: in its home folder, but outside the workspaces in it. */
export function isOwnFile(path: string, root: string, home: string): boolean {
  if (!isWithin(home, path)) return false;
  const isWorkspaceInHome = root !== home && isWithin(home, root);
  return !(isWorkspaceInHome && isWithin(root, path));
}

/** Returns the real path of the home folder, which may not exist. */
export function realHome(home: string): string {
  try {
    return realpathSync.native(home);
  } catch {
    return resolve(home);
  }
}

function checkText(input: string): void {
  if (input.trim() === '') throw failure('The path is empty.');
  if (input.includes('\0')) throw failure('The path contains a NUL character.');
  if (input === '~' || /^~[/\\]/.test(input)) throw failure(`"${input}": ~ is not expanded.`, 'Give a path relative to the workspace, or an absolute one.');
  if (Buffer.byteLength(input) > maxPath || input.split(/[/\\]/).some((part) => Buffer.byteLength(part) > maxComponent)) {
    throw failure('The path is too long.');
  }
}

/** Returns the path as it is stored on disk, where an accent may be a separate character: `é`, or `e` and an accent. An exact match takes precedence. */
function standing(path: string, input: string): string {
  if (!/[^\0-\x7f]/.test(path) || isEntry(path)) return path;
  const parent = standing(dirname(path), input);
  const name = basename(path);
  const asGiven = join(parent, name);
  if (isEntry(asGiven)) return asGiven;
  const [same, other] = namesIn(parent).filter((one) => one.normalize('NFC') === name.normalize('NFC'));
  if (other !== undefined) throw failure(`${input} matches several files whose names differ only in accent encoding.`);
  return same === undefined ? asGiven : join(parent, same);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the folder is unreadable, so there is no alternative name
  }
}

function realPathOf(path: string, input: string): string {
  try {
    return realpathSync.native(path);
  } catch (fault) {
    if (!isMissing(fault)) throw explainFault(fault, input);
  }
  if (isLinkAt(path)) throw failure(`${input}: the path contains a broken symbolic link.`);
  const parent = dirname(path);
  return parent === path ? path : join(realPathOf(parent, input), basename(path));
}

function refuseForbidden(path: string, root: string, home: string, input: string): void {
  if (systemFolders.some((folder) => isWithin(folder, path))) throw failure(`${input} is not a regular file and was not opened.`);
  if (isOwnFile(path, root, home)) {
    throw failure(`${input} is one of this program's own files; tools may not open it.`, 'Only the user changes settings and secrets.');
  }
}

function statOf(path: string, input: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw explainFault(fault, input);
  }
}

function isEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // the parent folder is not accessible
  }
}

function isLinkAt(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // missing, or in an unreadable folder, so it is not a link
  }
}
