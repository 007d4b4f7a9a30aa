// Threads run files of the build: a text made of a function loses whatever the function refers to.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface ThreadOptions {
  /** What the thread finds as its `workerData`. */
  readonly data?: unknown;
  /** Of the old generation of its heap, in megabytes; beyond it the thread ends with an error. */
  readonly maxHeapMb?: number;
}

/**
 * Starts a thread of the build (`dist/workers/<name>.mjs`), with an empty environment and nothing to say to the terminal. Whoever
 * starts it terminates it.
 */
export function startThread(name: string, { data, maxHeapMb }: ThreadOptions = {}): Worker {
  const resourceLimits = maxHeapMb === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } };
  return new Worker(fileOf(name), { workerData: data, env: {}, stdout: true, stderr: true, ...resourceLimits });
}

/** What was built lies beside or below the folder of threads; code that runs from its sources takes it from the build's folder. */
function fileOf(name: string): URL {
  const places = ['./workers', '../workers', '../../dist/workers'].map((folder) => new URL(`${folder}/${name}.mjs`, import.meta.url));
  const built = places.find((place) => existsSync(place));
  if (!built) throw new Error(`the thread '${name}' was not built`);
  return built;
}
