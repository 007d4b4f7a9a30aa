// Takes documents apart in a thread of its own that ends at its time cap.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { addLostParts } from './add-lost-parts.ts';
import { runDocumentWorker } from './document-worker.ts';

export type DocumentTask =
  | { readonly kind: 'article'; readonly html: string }
  | { readonly kind: 'results'; readonly html: string }
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array };

export type DocumentMessage =
  | { readonly kind: 'article'; readonly title: string; /** Empty where none was found. */ readonly html: string }
  | { readonly kind: 'result'; readonly title: string; readonly address: string; readonly excerpt: string }
  | { readonly kind: 'pdf'; readonly title: string; readonly pages: number }
  | { readonly kind: 'page'; readonly number: number; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly message: string };

/** - `late`: the time cap came first. - `broken`: the document cannot be read, or needs too much memory. */
export type DocumentEnd = 'whole' | 'late' | 'broken';

export interface TakenApart {
  readonly end: DocumentEnd;
  /** What was found up to the end; without `end` and `fault`. */
  readonly found: readonly DocumentMessage[];
  readonly fault?: string;
}

const maxHeapMb = 512;

/** Rejects when the signal is aborted; the thread is gone when it settles. `capMs`: milliseconds, its start counted in. */
export async function takeApart(task: DocumentTask, capMs: number, signal: AbortSignal): Promise<TakenApart> {
  signal.throwIfAborted();
  const found: DocumentMessage[] = [];
  const worker = new Worker(`(${runDocumentWorker.toString()})(require, (address) => import(address), ${addLostParts.toString()})`, {
    eval: true,
    workerData: { task, modules: findModules() },
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<TakenApart>((resolve, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => resolve({ end: 'late', found }), capMs);
      worker.on('message', (message: DocumentMessage) => {
        if (message.kind === 'end') resolve({ end: 'whole', found });
        else if (message.kind === 'fault') resolve({ end: 'broken', found, fault: message.message });
        else found.push(message);
      });
      worker.on('error', (fault: Error) => resolve({ end: 'broken', found, fault: fault.message }));
      worker.on('exit', () => resolve({ end: 'broken', found, fault: 'The thread ended.' }));
    });
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

/** The thread has no folder of its own to look for packages from. */
function findModules(): { happyDom: string; readability: string; unpdf: string } {
  const { resolve } = createRequire(import.meta.url);
  return {
    happyDom: pathToFileURL(resolve('happy-dom')).href,
    readability: resolve('@mozilla/readability'),
    unpdf: pathToFileURL(resolve('unpdf')).href,
  };
}
