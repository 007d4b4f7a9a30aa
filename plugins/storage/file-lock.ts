// Locks that other processes respect: a folder `<path>.lock` that can be made once, and that its holder touches while it lives.
// Our own, because packages for it listen to the signals of the process and send them once more.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
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
    await makeFolder(dirname(path));
    const isTaken = (await isMade(folder)) || ((await isAbandoned(folder, staleMs)) && (await putAside(folder, staleMs)) && (await isMade(folder)));
    if (!isTaken) throw Object.assign(new Error(`'${path}' is locked`), { code: 'ELOCKED' });
    return hold(folder, staleMs, () => warn(`The lock of '${path}' was lost: this process stood still, and another one took it over.`));
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

async function isAbandoned(folder: string, staleMs: number): Promise<boolean> {
  const found = await stat(folder).catch(ifMissing(() => undefined));
  if (found?.isDirectory() === false) throw Object.assign(new Error(`'${folder}' is no folder`), { code: 'ENOTDIR' });
  return found === undefined || found.mtimeMs < Date.now() - staleMs;
}

/** Takes an abandoned folder away. Of two who found it so the slower one gets the quicker one's, sees that it is fresh, and gives it back. */
async function putAside(folder: string, staleMs: number): Promise<boolean> {
  const aside = `${folder}.${randomUUID()}`;
  if (
    !(await rename(folder, aside).then(
      () => true,
      ifMissing(() => false),
    ))
  )
    return true;
  const isOurs = await isAbandoned(aside, staleMs);
  await (isOurs ? rmdir(aside) : rename(aside, folder));
  return isOurs;
}

/** Keeps a folder fresh until it is released, or somebody else's: that one is neither touched nor removed. */
async function hold(folder: string, staleMs: number, onLost: () => void): Promise<Release> {
  let mark = await markOf(folder);
  let touching: Promise<void> | undefined;
  let isOver = false;
  const leave = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const touch = async (): Promise<void> => {
    if ((await markOf(folder)) !== mark) {
      leave();
      return onLost();
    }
    const now = new Date();
    await utimes(folder, now, now);
    mark = await markOf(folder);
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
    if ((await markOf(folder)) === mark) await rmdir(folder).catch(ifMissing(() => undefined));
  };
}

/** A folder made anew may have the number of the one before, but was not touched at the same moment. Empty where there is none. */
function markOf(folder: string): Promise<string> {
  return stat(folder).then(
    ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
    ifMissing(() => ''),
  );
}

function ifMissing<T>(answer: () => T): (fault: unknown) => T {
  return (fault) => {
    if (isMissing(fault)) return answer();
    throw fault;
  };
}
