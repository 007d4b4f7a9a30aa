// Extracts the article of a page, or the results of a search page, from a document without scripts. Runs in a worker thread.
import { Readability } from '@mozilla/readability';
import { stripHtml, tidyLines } from '#lib/html-text';
import { oneLine } from '#lib/text';
import { type Document, type Element, Window } from 'happy-dom';
import { cleanHtml } from './clean-html.ts';
import type { DocumentMessage, DocumentTask } from './document-threads.ts';
import { restOf } from './rest-of-article.ts';

type ArticleTask = Extract<DocumentTask, { kind: 'article' }>;
type Message<K extends DocumentMessage['kind']> = Extract<DocumentMessage, { kind: K }>;

/** Extracts the article. Text outside the article, such as galleries, comments and related stories, is not included. */
export function readArticle({ html, address, maxChars }: ArticleTask): Message<'article'> {
  const clean = cleanHtml(html, maxChars);
  return withDocument(clean.rest === '' ? clean.html : clean.html + endMark, (document) => {
    const base = takeBase(document, address);
    for (const cell of document.querySelectorAll('td')) if (isMenu(cell)) cell.remove();
    const open = stampOpen(document);
    // The types of Readability expect the browser's own document.
    const reader = new Readability<Element>(document as never, { serializer: (element) => element as unknown as Element });
    const article = reader.parse();
    const content = article?.content;
    const text = content ? stripHtml(content.innerHTML, base).text : '';
    const rest = content ? stripHtml(restOf(clean.rest, outermostFound(content, open)), base).text : '';
    return { kind: 'article', title: article?.title ?? '', text: rest === '' ? text : tidyLines(`${text}\n\n${rest}`), isCut: clean.rest !== '' };
  });
}

/** Parses the results page of DuckDuckGo. */
export function readResults(html: string): readonly Message<'result'>[] {
  return withDocument(html, (document) =>
    [...document.querySelectorAll('.result')].flatMap((result): Message<'result'>[] => {
      const link = result.querySelector('a.result__a');
      const address = link?.getAttribute('href');
      return address ? [{ kind: 'result', title: textOf(link), address, excerpt: textOf(result.querySelector('.result__snippet')) }] : [];
    }),
  );
}

const textOf = (element: Element | null): string => oneLine(element?.textContent ?? '');

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

/** Returns the base URL for relative links. */
function takeBase(document: Document, address: string): URL {
  const element = document.querySelector('base[href]');
  const href = element?.getAttribute('href') ?? '';
  element?.remove();
  return new URL(URL.canParse(href, address) ? href : '', address);
}

/** Returns whether a table cell consists mostly of links and is next to a cell with much more text, as in a table layout. */
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
/** Minimum share of an element's text, 0 to 1, for the element to count as containing the article. */
const shareOfArticle = 0.8;

interface OpenElement {
  readonly name: string;
  /** Number of characters of the element's text before the cut. */
  readonly chars: number;
}

/** Marks the elements that are open at the cut, so that they can be recognised in the output of the extraction. Returns them, innermost first. */
function stampOpen(document: Document): readonly OpenElement[] {
  const end = document.querySelector('[data-end]');
  const open: OpenElement[] = [];
  for (let element = end?.parentElement; element; element = element === document.body ? null : element.parentElement) {
    element.setAttribute(stamp, String(open.length));
    open.push({ name: element.tagName.toLowerCase(), chars: textOf(element).length });
  }
  end?.remove();
  return open;
}

/** Returns the names of the elements in which the article continues after the cut, outermost first. */
function outermostFound(content: Element, open: readonly OpenElement[]): readonly string[] {
  if (open.length === 0) return [];
  const found = [...content.querySelectorAll(`[${stamp}]`)].map((element) => Number(element.getAttribute(stamp)));
  let outermost = Math.max(-1, ...found);
  const chars = textOf(content).length;
  const charsOf = (index: number): number => open[index]?.chars ?? 0;
  // Includes adjacent chapters if the extracted text is longer than the open element and makes up most of the next outer element.
  while (outermost + 1 < open.length && chars > charsOf(outermost) / shareOfArticle && chars > charsOf(outermost + 1) * shareOfArticle) outermost++;
  return open
    .slice(0, outermost + 1)
    .map(({ name }) => name)
    .reverse();
}
