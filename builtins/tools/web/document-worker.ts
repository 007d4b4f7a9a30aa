// What runs in the thread that takes documents apart. Its source text is handed over, so it refers to nothing outside of itself.
import type * as Threads from 'node:worker_threads';
import type * as HappyDom from 'happy-dom';
import type * as Unpdf from 'unpdf';
import type { addLostParts } from './add-lost-parts.ts';
import type { DocumentMessage, DocumentTask } from './read-document.ts';

interface ReadabilityPackage {
  readonly Readability: new (
    document: unknown,
    options: { serializer(element: HappyDom.Element): HappyDom.Element },
  ) => { parse(): { title?: string | null; content?: HappyDom.Element | null } | null };
}

/**
 * @param load of CommonJS modules
 * @param importModule by address
 * @param addParts its source is handed over beside this one
 */
export async function runDocumentWorker(
  load: (name: string) => unknown,
  importModule: (address: string) => Promise<unknown>,
  addParts: typeof addLostParts,
): Promise<void> {
  const threads = load('node:worker_threads') as typeof Threads;
  const { task, modules } = threads.workerData as { task: DocumentTask; modules: { happyDom: string; readability: string; unpdf: string } };
  const say = (message: DocumentMessage): void => threads.parentPort?.postMessage(message);

  const parseHtml = async (html: string) => {
    const { Window } = (await importModule(modules.happyDom)) as typeof HappyDom;
    const window = new Window({
      settings: {
        enableJavaScriptEvaluation: false,
        disableJavaScriptFileLoading: true,
        disableCSSFileLoading: true,
        disableIframePageLoading: true,
        handleDisabledFileLoadingAsSuccess: true,
        navigation: { disableMainFrameNavigation: true, disableChildFrameNavigation: true, disableChildPageNavigation: true },
      },
    });
    return new window.DOMParser().parseFromString(html, 'text/html');
  };

  /** Twice the same document: the search changes the one it gets. */
  const parseStamped = async (html: string) => {
    const document = await parseHtml(html);
    let count = 0;
    for (const element of document.querySelectorAll('*')) element.setAttribute('data-stamp', String(count++));
    return document;
  };

  const readArticle = async (html: string): Promise<void> => {
    const [page, searched] = [await parseStamped(html), await parseStamped(html)];
    const { Readability } = load(modules.readability) as ReadabilityPackage;
    const article = new Readability(searched, { serializer: (element) => element }).parse();
    const { title, content } = article ?? {};
    say({ kind: 'article', title: title ?? '', html: content ? addParts(page, content) : '' });
  };

  const readResults = async (html: string): Promise<void> => {
    const document = await parseHtml(html);
    const textOf = (element: { textContent: string | null } | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
    for (const result of document.querySelectorAll('.result')) {
      const link = result.querySelector('a.result__a');
      const address = link?.getAttribute('href');
      if (address) say({ kind: 'result', title: textOf(link), address, excerpt: textOf(result.querySelector('.result__snippet')) });
    }
  };

  const readPdf = async (bytes: Uint8Array): Promise<void> => {
    const { getDocumentProxy } = (await importModule(modules.unpdf)) as typeof Unpdf;
    const document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false });
    const about = await document.getMetadata().catch(() => undefined);
    const title = (about?.info as { Title?: unknown } | undefined)?.Title;
    say({ kind: 'pdf', title: typeof title === 'string' ? title : '', pages: document.numPages });
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      let text = '';
      for (const item of items) if ('str' in item) text += item.str + (item.hasEOL ? '\n' : '');
      say({ kind: 'page', number, text });
      page.cleanup();
    }
  };

  try {
    if (task.kind === 'article') await readArticle(task.html);
    else if (task.kind === 'results') await readResults(task.html);
    else await readPdf(task.bytes);
    say({ kind: 'end' });
  } catch (fault) {
    say({ kind: 'fault', message: fault instanceof Error ? fault.message : String(fault) });
  }
}
