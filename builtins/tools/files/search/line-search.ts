// Searches lines of files in worker threads, so that a runaway pattern can be terminated. A separate search program would not be faster: each match would have
// to be read again, and skipped files examined one by one.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#lib/worker';
import { createFindings, type FoundLines, type Portion } from './merge-search-results.ts';
import type { LineSearch, ThreadMessage, ThreadTask, ThreadWork } from './search-thread.ts';

interface Thread {
  readonly worker: Worker;
  readonly progress: Int32Array;
  isBusy: boolean;
  seen: string;
  since: number;
}

const portionFiles = 256;
const maxThreads = 4;
/** Time limit in milliseconds for one file, or for every four megabytes of a larger file. */
const maxFileMs = 3000;
const maxTotalMs = 60_000;
const checkMs = 250;

/**
 * Searches files. Rejects when the signal is aborted; the threads have ended when the promise settles.
 * @param tell lists the files in display order, and stops when `add` reports that no more files are needed
 */
export async function searchLines(tell: (add: (path: string) => boolean) => Promise<void>, search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  signal.throwIfAborted();
  const findings = createFindings(search.maxHits, search.context);
  const threads: Thread[] = [];
  const waiting: Portion[] = [];
  let reported: string[] = [];
  let isTold = false;
  let isOver = false;
  let watch: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<FoundLines>((resolve, reject) => {
      const settle = (slowFile?: string): void => {
        isOver = true;
        resolve(findings.result(slowFile));
      };
      const fail = (fault: unknown): void => {
        isOver = true;
        reject(fault);
      };
      const goOn = (): void => {
        if (isOver) return;
        if (findings.isEnough() || (isTold && waiting.length === 0 && threads.every(({ isBusy }) => !isBusy))) return settle();
        for (const thread of threads) if (!thread.isBusy) giveWork(thread);
        while (waiting.length > 0 && threads.length < Math.min(maxThreads, availableParallelism())) giveWork(addThread());
      };
      const giveWork = (thread: Thread): void => {
        const portion = waiting.shift();
        if (!portion) return;
        Object.assign(thread, { isBusy: true, seen: '', since: performance.now() });
        thread.worker.postMessage(portion satisfies ThreadWork);
      };
      const addThread = (): Thread => {
        const progress = new Int32Array(new SharedArrayBuffer(8)).fill(-1);
        const data: ThreadTask = { ...search, progress, reportsPaths: existsSync('/proc/self/fd') };
        const worker = startThread('search', { data });
        const thread: Thread = { worker, progress, isBusy: false, seen: '', since: 0 };
        worker.on('message', (message: ThreadMessage) => {
          if (message.kind === 'hits') return findings.addHits(message.index, message.lines);
          findings.end(message);
          thread.isBusy = false;
          goOn();
        });
        worker.on('error', fail);
        worker.on('exit', () => fail(new Error('The search ended unexpectedly.')));
        threads.push(thread);
        return thread;
      };
      const pass = (): void => {
        if (reported.length > 0) waiting.push(findings.addPortion(reported));
        reported = [];
        goOn();
      };

      onAbort = () => fail(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      watch = watchThreads(threads, (index) => settle(findings.pathOf(index)));
      tell((path) => {
        if (reported.push(path) === portionFiles) pass();
        return !isOver;
      }).then(() => {
        isTold = true;
        pass();
      }, fail);
    });
  } finally {
    clearInterval(watch);
    if (onAbort) signal.removeEventListener('abort', onAbort);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }
}

/** Calls `giveUp` when one file, or the whole search, takes too long. The caller must clear the interval. */
function watchThreads(threads: readonly Thread[], giveUp: (index: number) => void): NodeJS.Timeout {
  const started = performance.now();
  return setInterval(() => {
    const now = performance.now();
    for (const thread of threads) {
      const index = Atomics.load(thread.progress, 0);
      const at = `${index} ${Atomics.load(thread.progress, 1)}`;
      if (at !== thread.seen) Object.assign(thread, { seen: at, since: now });
      // -1: starting or idle.
      if (index !== -1 && (now - thread.since > maxFileMs || now - started > maxTotalMs)) giveUp(index);
    }
  }, checkMs);
}
