// What runs in the thread that reads a PDF. Its source text is handed over, so it refers to nothing outside of itself.
import type * as Threads from 'node:worker_threads';
import { messageOf } from 'agent-harness/lib/errors';
import type * as Unpdf from 'unpdf';

export interface PdfTask {
  readonly bytes: Uint8Array;
  /** Address of the module that reads it. */
  readonly reader: string;
  readonly maxPages: number;
}

export type PdfMessage =
  | { readonly kind: 'begin'; readonly pages: number }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly message: string };

/**
 * @param load of CommonJS modules
 * @param importModule by address
 */
export async function runPdfWorker(load: (name: string) => unknown, importModule: (address: string) => Promise<unknown>): Promise<void> {
  const threads = load('node:worker_threads') as typeof Threads;
  const { bytes, reader, maxPages } = threads.workerData as PdfTask;
  const say = (message: PdfMessage): void => threads.parentPort?.postMessage(message);
  try {
    const { getDocumentProxy } = (await importModule(reader)) as typeof Unpdf;
    const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
    say({ kind: 'begin', pages: document.numPages });
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      let text = '';
      for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
      say({ kind: 'page', text });
      page.cleanup();
    }
    say({ kind: 'end' });
  } catch (fault) {
    say({ kind: 'fault', message: messageOf(fault) });
  }
}
