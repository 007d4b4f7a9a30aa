// Locks a path across processes with a folder `<path>.lock`. The folder is created exclusively, contains a file named after its holder, and is touched by the
// holder as long as the holder lives. Uses no package, because packages for this purpose listen to process signals and re-raise them.
import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode, isMissing } from '#lib/errors';
import { makeFolder } from './atomic-file.ts';

export type Release = () => Promise<void>;

export interface FileLocks {
  /** Waits up to {@link waitMs} for the lock, then rejects with code `ELOCKED`. */
  wait(path: string): Promise<Release>;
  /** Takes the lock; rejects immediately with code `ELOCKED` if it is held. */
  take(path: string): Promise<Release>;
  /** Removes a lock whose holder no longer exists. */
  forget(path: string): Promise<void>;
}

/** Milliseconds without a touch after which another process may take over a lock. */
const abandonedMs = 5_000;
export const waitMs = 10_000;
/** First pause between two attempts in milliseconds; later pauses are longer. */
const minPauseMs = 5;
const longestPauseMs = 100;

/** Creates the locks. @param warn called when a lock was lost because this process was suspended for too long */
export function createFileLocks(warn: (message: string) => void, staleMs = abandonedMs): FileLocks {
  async function take(path: string): Promise<Release> {
    const folder = `${path}.lock`;
    const own = join(folder, randomUUID());
    await makeFolder(dirname(path));
    const isTaken = (await isMade(folder)) ? await isEntered(folder, own) : await isTakenOver(folder, own, staleMs);
    if (!isTaken) throw Object.assign(new Error(`'${path}' is locked`), { code: 'ELOCKED' });
    return hold(folder, own, staleMs, () => warn(`The lock of '${path}' was lost: this process was suspended, and another process took over the lock.`));
  }

  async function wait(path: string): Promise<Release> {
    const end = performance.now() + waitMs;
    for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      try {
        return await take(path);
      } catch (fault) {
        if (!hasCode(fault, 'ELOCKED') || performance.now() > end) throw fault;
      }
      await pause(pauseMs * (1 + Math.random()));
    }
  }

  return {
    wait,
    take,
    forget: (path) => rm(`${path}.lock`, { recursive: true, force: true }),
  };
}

async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (fault) {
    if (hasCode(fault, 'EEXIST')) return false;
    throw fault;
  }
}

/** Creates the lock folder. Returns whether this process now holds the lock: it does not if it was suspended and another process took over. */
async function isEntered(folder: string, own: string): Promise<boolean> {
  try {
    await writeFile(own, '', { flag: 'wx' });
  } catch (fault) {
    if (isMissing(fault)) return false;
    throw fault;
  }
  if ((await readdir(folder)).length === 1) return true;
  await rm(own, { force: true });
  return false;
}

/**
 * Takes over a lock that has not been touched for `staleMs`. Renaming the observed holder's file is a compare-and-swap: of several processes that observed the
 * same holder, one succeeds; if the holder has changed, none succeeds.
 */
async function isTakenOver(folder: string, own: string, staleMs: number): Promise<boolean> {
  const holders = await readdir(folder).catch(ifMissing(() => undefined));
  // Read after the holder, because a lock that was taken over since then has a new time.
  const found = holders && (await stat(folder).catch(ifMissing(() => undefined)));
  if (!holders || !found || found.mtimeMs >= Date.now() - staleMs) return false;
  const [holder] = holders;
  if (holder !== undefined && holders.length === 1)
    return rename(join(folder, holder), own).then(
      () => true,
      ifMissing(() => false),
    );
  // The creator died before it wrote its file, or is an older version that writes no file.
  for (const one of holders) await rm(join(folder, one), { force: true });
  await rmdir(folder).catch(ifGone);
  return (await isMade(folder)) && isEntered(folder, own);
}

/** Touches the folder until the lock is released. After another process has taken over the lock, touches and removes nothing. */
async function hold(folder: string, own: string, staleMs: number, onLost: () => void): Promise<Release> {
  let touching: Promise<void> | undefined;
  let isOver = false;
  const leave = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const touch = async (): Promise<void> => {
    const isOurs = await access(own).then(
      () => true,
      ifMissing(() => false),
    );
    if (!isOurs) {
      leave();
      return onLost();
    }
    const now = new Date();
    await utimes(folder, now, now);
  };
  // A file-system error may not recur at the next touch.
  const keep = (): unknown =>
    (touching ??= touch()
      .then(undefined, () => undefined)
      .finally(() => (touching = undefined)));
  const timer = setInterval(keep, staleMs / 5).unref();
  return async () => {
    if (isOver) return;
    leave();
    await touching;
    const isOurs = await unlink(own).then(
      () => true,
      ifMissing(() => false),
    );
    if (isOurs) await rmdir(folder).catch(ifGone);
  };
}

/** Ignores the error if another process removed the folder or now holds the lock. */
function ifGone(fault: unknown): void {
  if (!isMissing(fault) && !hasCode(fault, 'ENOTEMPTY', 'EEXIST')) throw fault;
}

function ifMissing<T>(answer: () => T): (fault: unknown) => T {
  return (fault) => {
    if (isMissing(fault)) return answer();
    throw fault;
  };
}
