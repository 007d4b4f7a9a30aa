// The only file that knows proper-lockfile: locks that other processes respect.
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode, isMissing } from 'agent-harness/lib/errors';
import type { lock } from 'proper-lockfile';
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
const staleMs = 5_000;
export const waitMs = 10_000;
/** Between two tries; more each time. */
const leastPauseMs = 5;
const longestPauseMs = 100;

/** @param warn sees a lock that was lost because this process stood still for too long */
export function createFileLocks(warn: (message: string) => void): FileLocks {
  let loading: Promise<typeof lock> | undefined;

  async function take(path: string): Promise<Release> {
    loading ??= loadLockfile();
    const lockFile = await loading;
    await makeFolder(dirname(path));
    const release = await lockFile(path, {
      realpath: false,
      stale: staleMs,
      update: staleMs / 5,
      // The default throws out of a timer, which would end the process.
      onCompromised: (fault) => warn(`The lock of '${path}' was lost: ${fault.message}`),
    });
    return () => release().catch(ignoreLost);
  }

  /** Not by the library's `retries`: those wait for a full disk, too. */
  async function wait(path: string): Promise<Release> {
    const end = performance.now() + waitMs;
    for (let pauseMs = leastPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      try {
        return await take(path);
      } catch (fault) {
        // Of two who find an abandoned lock, one may see it go while taking it.
        const isTaken = hasCode(fault, 'ELOCKED') || isMissing(fault);
        if (!isTaken || performance.now() > end) throw fault;
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

/**
 * Takes back the signal handlers that come with the library: they resend a signal as soon as no other listener is left,
 * and so would kill a process that is shutting down in order. Locks of a killed process go stale by themselves.
 */
async function loadLockfile(): Promise<typeof lock> {
  const signals = Object.keys(constants.signals) as NodeJS.Signals[];
  const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  const { default: library } = await import('proper-lockfile');
  for (const [signal, known] of before) {
    for (const listener of process.listeners(signal)) {
      if (!known.includes(listener) && resendsSignals(listener)) process.removeListener(signal, listener);
    }
  }
  return library.lock;
}

/** Somebody else may have started to listen while the library was loading, and keeps doing so. */
function resendsSignals(listener: NodeJS.SignalsListener): boolean {
  return /\.kill\(\w+\.pid/.test(listener.toString());
}

function ignoreLost(fault: unknown): void {
  if (isMissing(fault) || hasCode(fault, 'ERELEASED', 'ENOTACQUIRED')) return;
  throw fault;
}
