// Locks that other processes respect: a folder `<path>.lock` that can be made once, holds a file named after its holder, and is
// touched by it while it lives.
// Our own, because packages for it listen to the signals of the process and send them once more.
import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode, isMissing } from 'agent-harness/lib/errors';
import { makeFolder } from './atomic-file.ts';

export type Release = () => Promise<void>;

export interface FileLocks {
  /** Waits up to {@link waitMs} for the lock, then rejects with code `ELOCKED`. */
  wait(path: string): Promise<Release>;
  /** Rejects with code `ELOCKED` at once. */
  take(path: string): Promise<Release>;
  /** Forgets a lock whose holder is known to be dead. */
  forget(path: string): Promise<void>;
}

/** A lock whose holder has not touched it for so long is taken over, in milliseconds. */
const abandonedMs = 5_000;
export const waitMs = 10_000;
/** Between two tries; more each time. */
const leastPauseMs = 5;
const longestPauseMs = 100;

/** @param warn sees a lock that was lost because this process stood still for too long */
export function createFileLocks(warn: (message: string) => void, staleMs = abandonedMs): FileLocks {
  async function take(path: string): Promise<Release> {
    const folder = `${path}.lock`;
    const own = join(folder, randomUUID());
    await makeFolder(dirname(path));
    const isTaken = (await isMade(folder)) ? await isEntered(folder, own) : await isTakenOver(folder, own, staleMs);
    if (!isTaken) throw Object.assign(new Error(`'${path}' is locked`), { code: 'ELOCKED' });
    return hold(folder, own, staleMs, () => warn(`The lock of '${path}' was lost: this process stood still, and another one took it over.`));
  }

  async function wait(path: string): Promise<Release> {
    const end = performance.now() + waitMs;
    for (let pauseMs = leastPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
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

/** Whoever made the folder holds it, unless it stood still in between and somebody else is in there. */
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
 * Takes over what nobody touched for `staleMs`. Renaming the file of the holder that was seen is a comparison and a swap in one: of those
 * who saw the same holder one succeeds, and none does where it was somebody else's meanwhile.
 */
async function isTakenOver(folder: string, own: string, staleMs: number): Promise<boolean> {
  const holders = await readdir(folder).catch(ifMissing(() => undefined));
  // After the look for the holder: what was taken over since then is fresh.
  const found = holders && (await stat(folder).catch(ifMissing(() => undefined)));
  if (!holders || !found || found.mtimeMs >= Date.now() - staleMs) return false;
  const [holder] = holders;
  if (holder !== undefined && holders.length === 1)
    return rename(join(folder, holder), own).then(
      () => true,
      ifMissing(() => false),
    );
  // Its maker ended before it was in there, or it is of a version that put no file in there.
  for (const one of holders) await rm(join(folder, one), { force: true });
  await rmdir(folder).catch(ifGone);
  return (await isMade(folder)) && isEntered(folder, own);
}

/** Keeps a folder fresh until it is released, or somebody else's: that one is neither touched nor removed. */
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
  // What the file system refuses now it may allow at the next touch.
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

/** Somebody else removed it, or is in it by now. */
function ifGone(fault: unknown): void {
  if (!isMissing(fault) && !hasCode(fault, 'ENOTEMPTY', 'EEXIST')) throw fault;
}

function ifMissing<T>(answer: () => T): (fault: unknown) => T {
  return (fault) => {
    if (isMissing(fault)) return answer();
    throw fault;
  };
}
