// Extracts the text of a PDF, page by page. Runs in a worker thread.
import { getDocumentProxy } from 'unpdf';
import type { DocumentMessage } from './document-threads.ts';

/** Emits the document first, then each page as soon as it has been read. @param emit emits a message */
export async function readPdf(bytes: Uint8Array, emit: (message: DocumentMessage) => void): Promise<void> {
  const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
  try {
    const about = await document.getMetadata().catch(() => undefined);
    const title = (about?.info as { Title?: unknown } | undefined)?.Title;
    emit({ kind: 'pdf', title: typeof title === 'string' ? title : '', pages: document.numPages });
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      let text = '';
      for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
      emit({ kind: 'page', number, text });
      page.cleanup();
    }
  } finally {
    await document.destroy();
  }
}
