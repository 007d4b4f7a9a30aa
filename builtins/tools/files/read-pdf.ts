// The text of a PDF, read in a thread of its own that ends at its time cap: a broken file may keep its reader busy for ever.
import { startThread } from 'agent-harness/lib/worker';
import type { PdfMessage, PdfTask } from './pdf-worker.ts';

export interface PdfText {
  /** Of the whole document. */
  readonly pageCount: number;
  /** Of the pages that were read, in their order. */
  readonly pages: readonly string[];
  /** Why there are no more of them; left out where all were read. */
  readonly fault?: string;
}

const capMs = 20_000;
const maxPages = 1_000;
const maxHeapMb = 512;

/** Rejects only when the signal is aborted; the thread is gone when it settles. */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  signal.throwIfAborted();
  const task: PdfTask = { bytes, maxPages };
  const worker = startThread('pdf', { data: task, maxHeapMb });
  const pages: string[] = [];
  let pageCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      const stopped = (fault: string): void => resolve({ pageCount, pages, fault });
      onAbort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      timer = setTimeout(() => stopped(`reading it took longer than ${capMs / 1000} s`), capMs);
      worker.on('message', (message: PdfMessage) => {
        if (message.kind === 'begin') pageCount = message.pages;
        else if (message.kind === 'page') pages.push(message.text);
        else if (message.kind === 'fault') stopped(message.message);
        else if (pageCount > maxPages) stopped(`only the first ${maxPages} pages are read`);
        else resolve({ pageCount, pages });
      });
      worker.on('error', (fault: Error) => stopped(fault.message));
      worker.on('exit', () => stopped('its reader ended'));
    });
  } finally {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}
