// Extracts the text of a PDF in a worker thread with a time limit, because a damaged file may block the parser forever.
import { runInThread } from '#lib/worker';
import type { PdfMessage, PdfTask } from './pdf-worker.ts';

export interface PdfText {
  /** Number of pages of the whole document. */
  readonly pageCount: number;
  /** Texts of the pages that were read, in order. */
  readonly pages: readonly string[];
  /** Reason why pages are missing; omitted if all pages were read. */
  readonly fault?: string;
}

const capMs = 20_000;
const maxPages = 1_000;
const maxHeapMb = 512;

/** Extracts the text. Rejects only when the signal is aborted; the thread has ended when the promise settles. */
export function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const task: PdfTask = { bytes, maxPages };
  const pages: string[] = [];
  let pageCount = 0;
  return runInThread<PdfMessage, PdfText>('pdf', { data: task, maxHeapMb }, signal, {
    capMs,
    onMessage(message, settle) {
      if (message.kind === 'begin') pageCount = message.pages;
      else if (message.kind === 'page') pages.push(message.text);
      else if (message.kind === 'fault') settle(() => ({ pageCount, pages, fault: message.message }));
      else settle(() => ({ pageCount, pages, ...(pageCount > maxPages ? { fault: `only the first ${maxPages} pages are read` } : {}) }));
    },
    onStop: ({ message }) => ({ pageCount, pages, fault: message }),
  });
}
