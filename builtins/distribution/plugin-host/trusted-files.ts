// Tells whether somebody else could have put a plugin where it is: plugins run with all rights of whoever starts the program.
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What others may not be allowed to do to a file and its folder: write, as group or as anybody. */
const writableByOthers = 0o022;
const writableByAnybody = 0o002;
/** In such a folder (`/tmp`) only the owner of an entry can replace it. */
const sticky = 0o1000;

/**
 * Makes the search for a sentence that says who could change a file, and how to mend it. Links are followed: what counts is the
 * file that would run, its folder, and every folder above, since whoever owns one of these can put another folder in its place.
 * Looked up at once: a dozen of looks cost less than one trip through the thread pool, and each plugin waits for its own. A
 * folder is looked at once in each search, so make one for each time that plugins are loaded.
 */
export function createUntrustedFileSearch(): (path: string) => string | undefined {
  if (process.platform === 'win32') return () => undefined; // modes say nothing there
  const judged = new Map<string, { readonly found: string | undefined }>();
  const look = (folder: string): string | undefined => {
    const known = judged.get(folder) ?? { found: findOnTheWay(folder) };
    judged.set(folder, known);
    return known.found;
  };
  const realFolders = new Map<string, string>();
  const realOf = (folder: string): string => {
    const real = realFolders.get(folder) ?? realpathSync.native(folder);
    realFolders.set(folder, real);
    return real;
  };
  return (path) => {
    const link = lstatSync(path);
    const folder = dirname(path);
    const real = link.isSymbolicLink() ? realpathSync.native(path) : join(realOf(folder), basename(path));
    for (const one of new Set([folder, realOf(folder), dirname(real)])) {
      const found = look(one);
      if (found !== undefined) return found;
    }
    if (!link.isSymbolicLink()) return judge(path, writableByOthers, link, link);
    return judge(path, writableByOthers) ?? judge(real, writableByOthers);
  };
}

function findOnTheWay(folder: string): string | undefined {
  let at = folder;
  let mask = writableByOthers;
  for (;;) {
    const found = judge(at, mask);
    if (found !== undefined || at === dirname(at)) return found;
    at = dirname(at);
    mask = writableByAnybody;
  }
}

/** @param link what the path itself is @param stats of what it leads to */
function judge(path: string, mask: number, link = lstatSync(path), stats = statSync(path)): string | undefined {
  const owner = [link, stats].find(isForeign);
  if (owner) return `${path} belongs to another user (${owner.uid}). If you trust what is there, make it yours: sudo chown "$(id -un)" '${path}'`;
  // The sticky bit protects an entry of another folder, not the folder that plugins are listed from.
  const isShared = mask === writableByAnybody && (stats.mode & sticky) !== 0;
  if ((stats.mode & mask) === 0 || isShared) return undefined;
  return `others of this machine can change ${path}, and plugins run with your rights. Look at what is there, then: chmod go-w '${path}'`;
}

/** Root's files are as trustworthy as the system itself. */
function isForeign({ uid }: Stats): boolean {
  return uid !== 0 && uid !== process.getuid?.();
}
