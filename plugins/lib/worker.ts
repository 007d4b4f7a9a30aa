// Runs built files in threads. A function converted to text would lose its references.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The `workerData` of the thread. */
  readonly data?: unknown;
  /** Maximum heap (old generation) in megabytes; beyond it, the thread ends with an error. */
  readonly maxHeapMb?: number;
  /** Ignores node options of the process, such as preloaded modules, so that the thread is independent. */
  readonly isPlain?: boolean;
}

/**
 * Starts a thread of the build (`dist/workers/<name>.mjs`), with an empty environment and no output to the terminal. The caller
 * terminates it.
 */
export function startThread(name: string, { data, maxHeapMb, isPlain }: ThreadOptions = {}): Worker {
  const resourceLimits = maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } };
  return new Worker(threadFile(name), { workerData: data, env: {}, stdout: true, stderr: true, ...resourceLimits, ...(isPlain ? { execArgv: [] } : {}) });
}

export interface ThreadRun<M, T> {
  /** Time limit for the result, in milliseconds; left out: unlimited. */
  readonly capMs?: number;
  /** Receives each message. The first call of `settle` counts: its function returns the result or throws. */
  onMessage(message: M, settle: (answer: () => T) => void, worker: Worker): void;
  /** Called if the thread ended or timed out without a result: returns a result, or throws. */
  onStop(why: { readonly isLate: boolean; readonly message: string }): T;
}

/** Starts a thread for one result. Rejects with the reason of the signal, or with the error of `onStop`. The thread has ended when the promise settles. */
export async function runInThread<M, T>(name: string, options: ThreadOptions, signal: AbortSignal, run: ThreadRun<M, T>): Promise<T> {
  signal.throwIfAborted();
  const worker = startThread(name, options);
  try {
    return await hearThread(worker, signal, run);
  } finally {
    await worker.terminate();
  }
}

/** Does the same as {@link runInThread} for a thread that continues to run. */
export async function hearThread<M, T>(worker: Worker, signal: AbortSignal, { capMs, onMessage, onStop }: ThreadRun<M, T>): Promise<T> {
  const over = new AbortController();
  try {
    return await new Promise<T>((resolve, reject) => {
      const settle = (answer: () => T): void => {
        try {
          resolve(answer());
        } catch (fault) {
          reject(fault);
        }
      };
      const stop = (isLate: boolean, message: string): void => settle(() => onStop({ isLate, message }));
      const timer = capMs === undefined ? undefined : setTimeout(() => stop(true, `it took longer than ${capMs / 1000} s`), capMs);
      const heard = {
        message: (message: M) => onMessage(message, settle, worker),
        error: (fault: Error) => stop(false, fault.message),
        exit: () => stop(false, 'its thread ended'),
      };
      for (const [event, hear] of Object.entries(heard)) worker.on(event, hear);
      const options = { once: true, signal: over.signal };
      signal.addEventListener('abort', () => reject(signal.reason), options);
      over.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        for (const [event, hear] of Object.entries(heard)) worker.off(event, hear);
      });
    });
  } finally {
    over.abort();
  }
}

/** Returns the built file of a thread. Built code is beside or above the folder of threads; code that runs from sources uses the build folder. */
export function threadFile(name: string): URL {
  const places = ['./workers', '../workers', '../../dist/workers'].map((folder) => new URL(`${folder}/${name}.mjs`, import.meta.url));
  const built = places.find((place) => existsSync(place));
  if (!built) throw new Error(`the thread '${name}' was not built`);
  return built;
}
