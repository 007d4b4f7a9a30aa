// Parses documents in worker threads with a time limit per task. A thread that finished in time is kept briefly for the next task.
import type { Worker } from 'node:worker_threads';
import { awaitThread, startThread } from '#lib/worker';

export type DocumentTask =
  /** `maxChars`: maximum length of the HTML for the article extraction. */
  | { readonly kind: 'article'; readonly html: string; readonly address: string; readonly maxChars: number }
  | { readonly kind: 'results'; readonly html: string }
  | { readonly kind: 'pdf'; readonly bytes: Uint8Array };

export type DocumentMessage =
  /** `text`: empty if no article was found. `isCut`: whether only part of the page was searched. */
  | { readonly kind: 'article'; readonly title: string; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'result'; readonly title: string; readonly address: string; readonly excerpt: string }
  | { readonly kind: 'pdf'; readonly title: string; readonly pages: number }
  | { readonly kind: 'page'; readonly number: number; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly message: string };

/** - `late`: the time limit was reached. - `broken`: the document is unreadable, or needs too much memory. */
export type DocumentEnd = 'whole' | 'late' | 'broken';

export interface ParsedDocument {
  readonly end: DocumentEnd;
  /** Results so far, without `end` and `fault`. */
  readonly found: readonly DocumentMessage[];
  readonly fault?: string;
}

export interface DocumentThreads {
  /** Parses a document. Rejects when the signal is aborted. `capMs`: time limit in milliseconds, including the start of a thread. */
  takeApart(task: DocumentTask, capMs: number, signal: AbortSignal): Promise<ParsedDocument>;
  close(): Promise<void>;
}

const maxHeapMb = 512;
/** Time in milliseconds for which an idle thread is kept. Loading the parser takes longer than parsing most pages, and pages are often read in series. */
const keptMs = 60_000;

interface Waiting {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

/** Creates the threads, which the caller must close. */
export function createDocumentThreads(): DocumentThreads {
  const running = new Set<Worker>();
  let waiting: Waiting | undefined;

  function start(): Worker {
    const worker = startThread('document', { maxHeapMb });
    // Without a listener, an error of an idle thread would end the process.
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

  /** Keeps at most one idle thread, which is enough for pages that are read one after the other. */
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

function runTask(worker: Worker, task: DocumentTask, capMs: number, signal: AbortSignal): Promise<ParsedDocument> {
  const found: DocumentMessage[] = [];
  const taken = awaitThread<DocumentMessage, ParsedDocument>(worker, signal, {
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
