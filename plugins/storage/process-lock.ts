// Holds a lock for the lifetime of a process. The lock becomes available as soon as its holder ends, even if the holder was killed.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Disposable } from 'agent-harness/kernel';
import { hasCode } from '#lib/errors';
import type { FileLocks } from './file-lock.ts';
import { parseJson } from './parse-json.ts';
import { startOf } from './process-start.ts';

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Start time of the process in clock ticks after boot; empty if the system does not report it. */
  readonly started: string;
}

/** Takes the lock, and writes the holder to `<path>.holder`. Rejects with the result of `locked` if another living process holds the lock. */
export async function holdProcessLock(path: string, locks: FileLocks, locked: (holder: number | undefined) => Error): Promise<Disposable> {
  const holderPath = `${path}.holder`;
  // The code below first reads and then writes, so only one process at a time may run it.
  const leave = await locks.wait(`${path}.guard`);
  try {
    const holder = await readHolder(holderPath);
    const isHere = holder?.host === hostname();
    const isAlive = isHere && (await startOf(holder.pid)) === holder.started;
    if (isAlive) throw locked(holder.pid);
    if (isHere) await locks.forget(path);
    const own: Holder = { host: hostname(), pid: process.pid, started: (await startOf(process.pid)) ?? '' };
    // Not flushed: after a power cut, no holder is alive.
    const sign = (): Promise<void> => writeFile(holderPath, JSON.stringify(own), { mode: 0o600 });
    // Written before the lock is taken: a process that is killed in between must not leave a lock with an unknown holder.
    const isEarly = isHere || holder === undefined;
    if (isEarly) await sign();
    const release = await locks.take(path).catch(async (fault: unknown) => {
      if (isEarly) await rm(holderPath, { force: true });
      throw hasCode(fault, 'ELOCKED') ? locked(holder?.pid) : fault;
    });
    if (!isEarly) await sign();
    return disposeOnce(async () => {
      await rm(holderPath, { force: true });
      await release();
    });
  } finally {
    await leave();
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = parseJson(await readFile(path, 'utf8')) as Partial<Holder> | null;
    const { host, pid, started } = holder ?? {};
    return typeof host === 'string' && Number.isSafeInteger(pid) && typeof started === 'string' ? { host, pid: Number(pid), started } : undefined;
  } catch {
    return undefined; // no holder file, or the file is unreadable
  }
}

function disposeOnce(undo: () => Promise<void>): Disposable {
  let done: Promise<void> | undefined;
  return { dispose: () => (done ??= undo()) };
}
