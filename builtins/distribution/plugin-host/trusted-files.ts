// Finds plugin files that another user could have written. A plugin runs with all permissions of the user, so such files are dangerous.
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const writableByOthers = 0o022;
const writableByAnybody = 0o002;
/** Mode bit of folders such as `/tmp`, in which only the owner of an entry can replace the entry. */
const sticky = 0o1000;

/**
 * Creates a check that returns a sentence with the users who could change a file, and a remedy. Links are followed: the check covers the target file, its
 * folder, and all parent folders, because their owners can replace its content. Each folder is checked only once, so create a new check each time plugins are
 * loaded.
 */
export function createUntrustedFileSearch(): (path: string) => string | undefined {
  if (process.platform === 'win32') return () => undefined; // file modes have no meaning on Windows
  const found = new Map<string, string | undefined>();
  const real = new Map<string, string>();
  const findOnce = (folder: string): string | undefined => found.get(folder) ?? (found.has(folder) ? undefined : remember(found, folder, findAbove(folder)));
  const realOf = (folder: string): string => real.get(folder) ?? remember(real, folder, realpathSync.native(folder));
  return (path) => {
    const link = lstatSync(path);
    const folder = dirname(path);
    const target = link.isSymbolicLink() ? realpathSync.native(path) : join(realOf(folder), basename(path));
    for (const one of new Set([folder, realOf(folder), dirname(target)])) {
      const why = findOnce(one);
      if (why !== undefined) return why;
    }
    return link.isSymbolicLink() ? (judge(path, writableByOthers) ?? judge(target, writableByOthers)) : judge(path, writableByOthers, link, link);
  };
}

function remember<T>(known: Map<string, T>, key: string, value: T): T {
  known.set(key, value);
  return value;
}

function findAbove(folder: string, mask = writableByOthers): string | undefined {
  return judge(folder, mask) ?? (folder === dirname(folder) ? undefined : findAbove(dirname(folder), writableByAnybody));
}

/** @param link stats of the path itself @param stats stats of the target file */
function judge(path: string, mask: number, link = lstatSync(path), stats = statSync(path)): string | undefined {
  const owner = [link, stats].find(isForeign);
  if (owner) return `${path} belongs to another user (${owner.uid}). If you trust its content, change the owner: sudo chown "$(id -un)" '${path}'`;
  // The sticky bit prevents other users from replacing an entry in a folder, but not from adding plugins to it.
  const isShared = mask === writableByAnybody && (stats.mode & sticky) !== 0;
  if ((stats.mode & mask) === 0 || isShared) return undefined;
  return `other users of this machine can change ${path}, and plugins run with your permissions. Check its content, then run: chmod go-w '${path}'`;
}

/** Returns whether a file belongs to another user; files of root are as trustworthy as the system itself. */
function isForeign({ uid }: Stats): boolean {
  return uid !== 0 && uid !== process.getuid?.();
}
