// The article of a page, and the results of a search page, from a document without scripts. Runs in the thread.
import { Readability } from '@mozilla/readability';
import { type Document, type Element, Window } from 'happy-dom';
import { cleanHtml } from './clean-html.ts';
import type { DocumentMessage, DocumentTask } from './document-threads.ts';
import { restOf } from './rest-of-article.ts';
import { stripHtml, tidyLines } from './strip-html.ts';

type ArticleTask = Extract<DocumentTask, { kind: 'article' }>;
type Message<K extends DocumentMessage['kind']> = Extract<DocumentMessage, { kind: K }>;

/** Nothing outside of what the search finds is put back: galleries, comments and related stories stand there. */
export function readArticle({ html, address, maxChars }: ArticleTask): Message<'article'> {
  const clean = cleanHtml(html, maxChars);
  const base = new URL(address);
  return withDocument(clean.rest === '' ? clean.html : clean.html + endMark, (document) => {
    for (const cell of document.querySelectorAll('td')) if (isMenu(cell)) cell.remove();
    const open = stampOpen(document);
    // Readability is typed for the browser's own document.
    const reader = new Readability<Element>(document as never, { serializer: (element) => element as unknown as Element });
    const article = reader.parse();
    const content = article?.content;
    const text = content ? stripHtml(content.innerHTML, base).text : '';
    const rest = content ? stripHtml(restOf(clean.rest, outermostFound(content, open)), base).text : '';
    return { kind: 'article', title: article?.title ?? '', text: rest === '' ? text : tidyLines(`${text}\n\n${rest}`), isCut: clean.rest !== '' };
  });
}

/** Of DuckDuckGo's page. */
export function readResults(html: string): readonly Message<'result'>[] {
  return withDocument(html, (document) =>
    [...document.querySelectorAll('.result')].flatMap((result): Message<'result'>[] => {
      const link = result.querySelector('a.result__a');
      const address = link?.getAttribute('href');
      return address ? [{ kind: 'result', title: textOf(link), address, excerpt: textOf(result.querySelector('.result__snippet')) }] : [];
    }),
  );
}

const textOf = (element: Element | null): string => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();

function withDocument<T>(html: string, use: (document: Document) => T): T {
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
  try {
    return use(new window.DOMParser().parseFromString(html, 'text/html'));
  } finally {
    void window.happyDOM.close();
  }
}

/** A cell of links beside the cell with the text: a page that is laid out by a table. */
function isMenu(cell: Element): boolean {
  const [chars, linked] = [textOf(cell).length, linkedIn(cell)];
  if (linked < 100 || linked <= chars * 0.8) return false;
  return [...(cell.parentElement?.children ?? [])].some((other) => other !== cell && textOf(other).length - linkedIn(other) > chars * 5);
}

function linkedIn(element: Element): number {
  return [...element.querySelectorAll('a[href]')].reduce((sum, link) => sum + textOf(link).length, 0);
}

const stamp = 'data-open';
const endMark = '<i data-end></i>';

/** Marks the elements that are open at the end, so that they are known in what the search makes of them. Answers their names, outermost first. */
function stampOpen(document: Document): readonly string[] {
  const end = document.querySelector('[data-end]');
  const names: string[] = [];
  for (let element = end?.parentElement; element && element !== document.body; element = element.parentElement) {
    element.setAttribute(stamp, String(names.length));
    names.push(element.tagName.toLowerCase());
  }
  end?.remove();
  return names.reverse();
}

/** Names of the elements in which the article goes on behind the end, outermost first. */
function outermostFound(content: Element, open: readonly string[]): readonly string[] {
  const found = [...content.querySelectorAll(`[${stamp}]`)].map((element) => Number(element.getAttribute(stamp)));
  return found.length === 0 ? [] : open.slice(open.length - 1 - Math.max(...found));
}
