// A lock that a process keeps for as long as it lives, and that the next process gets at once when the holder died.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Disposable } from 'agent-harness/kernel';
import { hasCode } from './atomic-file.ts';
import type { FileLocks } from './file-lock.ts';
import { parseJson } from './parse-json.ts';

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Start of the process in clock ticks after boot; empty where the system does not say. */
  readonly started: string;
}

/** States of a process that only waits for its parent to ask after it: a zombie, and one that is being removed. */
const ended: ReadonlySet<string> = new Set(['Z', 'X', 'x']);

/** Rejects with what `locked` makes when another lives and holds it. The holder is written beside, as `<path>.holder`. */
export async function holdLock(path: string, locks: FileLocks, locked: (holder: number | undefined) => Error): Promise<Disposable> {
  const holderPath = `${path}.holder`;
  // Everything below is read-then-write, so one process at a time.
  const leave = await locks.wait(`${path}.guard`);
  try {
    const holder = await readHolder(holderPath);
    const isHere = holder?.host === hostname();
    const isAlive = isHere && (await startOf(holder.pid)) === holder.started;
    if (isAlive) throw locked(holder.pid);
    if (isHere) await locks.forget(path);
    const release = await locks.take(path).catch((fault: unknown) => {
      throw hasCode(fault, 'ELOCKED') ? locked(holder?.pid) : fault;
    });
    const own: Holder = { host: hostname(), pid: process.pid, started: (await startOf(process.pid)) ?? '' };
    // Not flushed: after a loss of power nobody lives who could hold it.
    await writeFile(holderPath, JSON.stringify(own), { mode: 0o600 });
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
    return undefined; // no holder, or one that nobody can make sense of
  }
}

/** `undefined` where no such process lives: one that ended and was never reaped does not. Process numbers are used again, start times with them are not. */
async function startOf(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets, which may hold anything; the third is the state, the 22nd `starttime`.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ended.has(fields[0] ?? '') ? undefined : (fields[19] ?? '');
  } catch {
    return ''; // no such table on this system
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return hasCode(fault, 'EPERM');
  }
}

function disposeOnce(undo: () => Promise<void>): Disposable {
  let done: Promise<void> | undefined;
  return { dispose: () => (done ??= undo()) };
}
