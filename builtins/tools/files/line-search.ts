// Searches lines of files in a worker thread, so that a pattern which never ends can be ended.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { runSearchWorker } from './search-worker.ts';
import { textFormOf } from './text-form.ts';

export interface LineSearch {
  /** Of the regular expression. */
  readonly source: string;
  readonly flags: string;
  /** Lines before and after a hit. */
  readonly context: number;
  readonly maxHits: number;
  /** UTF-16 units. */
  readonly maxShownLine: number;
  /** One file that was asked for by its name. */
  readonly isNamed: boolean;
  /** Files that stand at other paths as well are searched too. */
  readonly mayHaveOtherNames: boolean;
}

export interface FileHits {
  readonly path: string;
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isHit: boolean }[];
}

export interface FoundLines {
  readonly files: readonly FileHits[];
  readonly isFull: boolean;
  /** Binary files, files over 2 MB, files that cannot be read. */
  readonly skipped: number;
  /** Hard links, of which nobody knows where else they stand. */
  readonly linked: number;
  /** The pattern was still busy with this file when time was up. */
  readonly slowFile?: string;
}

export type WorkerMessage =
  { readonly kind: 'hits'; readonly file: FileHits } | { readonly kind: 'end'; readonly isFull: boolean; readonly skipped: number; readonly linked: number };

export interface WorkerTask extends LineSearch {
  /** The system tells the path of a descriptor. */
  readonly tellsPaths: boolean;
  readonly paths: readonly string[];
  /** Two numbers that both threads see: the index of the file that is being searched, and how many pieces of it were. */
  readonly progress: Int32Array;
}

/** One file, or four megabytes of it, may take this long. */
const maxFileMs = 3000;
const maxTotalMs = 60_000;
const checkMs = 250;

/** Rejects when the signal is aborted; the worker is gone when it settles. */
export async function searchLines(paths: readonly string[], search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  signal.throwIfAborted();
  const files: FileHits[] = [];
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const task: WorkerTask = { ...search, paths, progress, tellsPaths: existsSync('/proc/self/fd') };
  const worker = new Worker(`(${runSearchWorker.toString()})(require, ${textFormOf.toString()})`, { eval: true, workerData: task, env: {} });
  let watch: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<FoundLines>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      watch = watchProgress(progress, (index) => resolve({ files, isFull: false, skipped: 0, linked: 0, slowFile: paths[index] ?? '' }));
      worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'hits') files.push(message.file);
        else resolve({ files, isFull: message.isFull, skipped: message.skipped, linked: message.linked });
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('The search ended unexpectedly.')));
    });
  } finally {
    clearInterval(watch);
    if (onAbort) signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** Calls `giveUp` when one file takes too long, or all together. Whoever starts it clears the interval. */
function watchProgress(progress: Int32Array, giveUp: (index: number) => void): NodeJS.Timeout {
  const started = performance.now();
  let seen = '';
  let since = started;
  return setInterval(() => {
    const index = Atomics.load(progress, 0);
    const at = `${index} ${Atomics.load(progress, 1)}`;
    const now = performance.now();
    if (at !== seen) [seen, since] = [at, now];
    if (now - since > maxFileMs || now - started > maxTotalMs) giveUp(index);
  }, checkMs);
}
