// Runs built files in worker threads.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** The `workerData` of the thread. */
  readonly data?: unknown;
  /** Maximum heap (old generation) in megabytes. A thread that needs more ends with an error. */
  readonly maxHeapMb?: number;
  /** Whether the thread ignores the Node options of the process, such as preloaded modules. */
  readonly isPlain?: boolean;
}

/**
 * Starts a thread from the build (`dist/workers/<name>.mjs`), with an empty environment and no output to the terminal. The caller must terminate the thread.
 */
export function startThread(name: string, { data, maxHeapMb, isPlain }: ThreadOptions = {}): Worker {
  const resourceLimits = maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } };
  return new Worker(threadFile(name), { workerData: data, env: {}, stdout: true, stderr: true, ...resourceLimits, ...(isPlain ? { execArgv: [] } : {}) });
}

export interface ThreadRun<M, T> {
  /** Time limit for the result, in milliseconds; default: unlimited. */
  readonly capMs?: number;
  /** Receives each message of the thread. The function that is passed to the first call of `settle` returns the result or throws. */
  onMessage(message: M, settle: (answer: () => T) => void, worker: Worker): void;
  /** Called if the thread ended or timed out without a result: returns a result or throws. */
  onStop(why: { readonly isLate: boolean; readonly message: string }): T;
}

/** Starts a thread for one result. Rejects with the signal's reason or with the error of `onStop`. The thread has ended when the promise settles. */
export async function runInThread<M, T>(name: string, options: ThreadOptions, signal: AbortSignal, run: ThreadRun<M, T>): Promise<T> {
  signal.throwIfAborted();
  const worker = startThread(name, options);
  try {
    return await awaitThread(worker, signal, run);
  } finally {
    await worker.terminate();
  }
}

/** Works like {@link runInThread} for a running thread, which continues afterwards. */
export async function awaitThread<M, T>(worker: Worker, signal: AbortSignal, { capMs, onMessage, onStop }: ThreadRun<M, T>): Promise<T> {
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
      const timer = capMs === undefined ? undefined : setTimeout(() => stop(true, `the thread took longer than ${capMs / 1000} s`), capMs);
      const heard = {
        message: (message: M) => onMessage(message, settle, worker),
        error: (fault: Error) => stop(false, fault.message),
        exit: () => stop(false, 'the thread ended'),
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

/** Returns the built file of a worker thread. Built code is next to or above the folder of threads; code that runs from its sources uses the build folder. */
export function threadFile(name: string): URL {
  const places = ['./workers', '../workers', '../../dist/workers'].map((folder) => new URL(`${folder}/${name}.mjs`, import.meta.url));
  const built = places.find((place) => existsSync(place));
  if (!built) throw new Error(`the thread '${name}' was not built`);
  return built;
}
