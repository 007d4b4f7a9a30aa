// Reads the text of a PDF in a worker thread.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '#lib/errors';
import { getDocumentProxy } from 'unpdf';

export interface PdfTask {
  readonly bytes: Uint8Array;
  readonly maxPages: number;
}

export type PdfMessage =
  | { readonly kind: 'begin'; readonly pages: number }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly message: string };

async function read({ bytes, maxPages }: PdfTask, post: (message: PdfMessage) => void): Promise<void> {
  const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
  post({ kind: 'begin', pages: document.numPages });
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
    post({ kind: 'page', text });
    page.cleanup();
  }
  post({ kind: 'end' });
}

const post = (message: PdfMessage): void => parentPort?.postMessage(message);
read(workerData as PdfTask, post).catch((fault: unknown) => post({ kind: 'fault', message: messageOf(fault) }));
