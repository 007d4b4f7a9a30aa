// Tells whether somebody else could have put a plugin where it is: plugins run with all rights of whoever starts the program.
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

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
  return (path) => {
    const real = realpathSync.native(path);
    for (const folder of new Set([dirname(path), realpathSync.native(dirname(path)), dirname(real)])) {
      const found = look(folder);
      if (found !== undefined) return found;
    }
    return judge(path, writableByOthers) ?? (real === path ? undefined : judge(real, writableByOthers));
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

function judge(path: string, mask: number): string | undefined {
  const stats = statSync(path);
  const owner = [lstatSync(path), stats].find(isForeign);
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
