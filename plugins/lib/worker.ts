// Threads run files of the build: a text made of a function loses whatever the function refers to.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** What the thread finds as its `workerData`. */
  readonly data?: unknown;
  /** Of the old generation of its heap, in megabytes; beyond it the thread ends with an error. */
  readonly maxHeapMb?: number;
  /** None of what node was told for the program, such as modules to load first: the thread takes part in nothing. */
  readonly isPlain?: boolean;
}

/**
 * Starts a thread of the build (`dist/workers/<name>.mjs`), with an empty environment and nothing to say to the terminal. Whoever
 * starts it terminates it.
 */
export function startThread(name: string, { data, maxHeapMb, isPlain }: ThreadOptions = {}): Worker {
  const resourceLimits = maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } };
  return new Worker(threadFile(name), { workerData: data, env: {}, stdout: true, stderr: true, ...resourceLimits, ...(isPlain ? { execArgv: [] } : {}) });
}

export interface ThreadRun<M, T> {
  /** Until it has answered, in milliseconds; left out: as long as it takes. */
  readonly capMs?: number;
  /** Gets every message. The first that settles counts, by what it answers or throws. */
  onMessage(message: M, settle: (answer: () => T) => void, worker: Worker): void;
  /** It ended before it had answered, or took too long: answers in its place, or throws. */
  onStop(why: { readonly isLate: boolean; readonly message: string }): T;
}

/** Starts a thread for one answer. Rejects with the reason of the signal, or as `onStop` throws. The thread is gone when it settles. */
export async function runInThread<M, T>(name: string, options: ThreadOptions, signal: AbortSignal, run: ThreadRun<M, T>): Promise<T> {
  signal.throwIfAborted();
  const worker = startThread(name, options);
  try {
    return await hearThread(worker, signal, run);
  } finally {
    await worker.terminate();
  }
}

/** As {@link runInThread}, of a thread that goes on afterwards. */
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

/** The built file of a thread. What was built lies beside or below the folder of threads; code that runs from its sources takes it from the build's folder. */
export function threadFile(name: string): URL {
  const places = ['./workers', '../workers', '../../dist/workers'].map((folder) => new URL(`${folder}/${name}.mjs`, import.meta.url));
  const built = places.find((place) => existsSync(place));
  if (!built) throw new Error(`the thread '${name}' was not built`);
  return built;
}
