// Threads that take documents apart: each task has its time cap, and a thread that kept it waits a while for the next.
import type { Worker } from 'node:worker_threads';
import { hearThread, startThread } from 'agent-harness/lib/worker';

export type DocumentTask =
  /** `maxChars`: of HTML that the search for the article gets. */
  | { readonly kind: 'article'; readonly html: string; readonly address: string; readonly maxChars: number }
  | { readonly kind: 'results'; readonly html: string }
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array };

export type DocumentMessage =
  /** `text` is empty where none was found; `isCut`: not the whole page was searched. */
  | { readonly kind: 'article'; readonly title: string; readonly text: string; readonly isCut: boolean }
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

export interface DocumentThreads {
  /** Rejects when the signal is aborted. `capMs`: milliseconds, the start of a thread counted in. */
  takeApart(task: DocumentTask, capMs: number, signal: AbortSignal): Promise<TakenApart>;
  /** Ends every thread. */
  close(): Promise<void>;
}

const maxHeapMb = 512;
/** Loading the parser takes longer than most pages do, and a page seldom comes alone. */
const keptMs = 60_000;

interface Waiting {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

/** Whoever makes them closes them. */
export function createDocumentThreads(): DocumentThreads {
  const running = new Set<Worker>();
  let waiting: Waiting | undefined;

  function start(): Worker {
    const worker = startThread('document', { maxHeapMb });
    // A thread that waits may fail with nobody listening.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      running.delete(worker);
      if (waiting?.worker === worker) stopWaiting();
    });
    running.add(worker);
    return worker;
  }

  function stopWaiting(): Worker | undefined {
    const worker = waiting?.worker;
    clearTimeout(waiting?.timer);
    waiting = undefined;
    worker?.ref();
    return worker;
  }

  /** One is enough for pages that come one after the other. */
  async function keep(worker: Worker): Promise<void> {
    if (waiting || !running.has(worker)) return void (await worker.terminate());
    worker.unref();
    waiting = { worker, timer: setTimeout(() => void stopWaiting()?.terminate(), keptMs).unref() };
  }

  return {
    async takeApart(task, capMs, signal) {
      signal.throwIfAborted();
      const worker = stopWaiting() ?? start();
      let isReusable = false;
      try {
        const taken = await runTask(worker, task, capMs, signal);
        isReusable = taken.end === 'whole';
        return taken;
      } finally {
        if (isReusable) await keep(worker);
        else await worker.terminate();
      }
    },
    async close() {
      stopWaiting();
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

function runTask(worker: Worker, task: DocumentTask, capMs: number, signal: AbortSignal): Promise<TakenApart> {
  const found: DocumentMessage[] = [];
  const taken = hearThread<DocumentMessage, TakenApart>(worker, signal, {
    capMs,
    onMessage(message, settle) {
      if (message.kind === 'end') settle(() => ({ end: 'whole', found }));
      else if (message.kind === 'fault') settle(() => ({ end: 'broken', found, fault: message.message }));
      else found.push(message);
    },
    onStop: ({ isLate, message }) => (isLate ? { end: 'late', found } : { end: 'broken', found, fault: message }),
  });
  worker.postMessage(task);
  return taken;
}
