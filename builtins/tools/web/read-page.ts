// A reply as text: HTML stripped or its article, JSON indented, PDF by pages, everything else as it is.
import { cleanHtml } from './clean-html.ts';
import { decodeText, kindOf, mediaType, sniff } from './content-kind.ts';
import type { Downloaded } from './download.ts';
import type { Page } from './page-cache.ts';
import { takeApart } from './read-document.ts';
import { maxPdfBytes, maxTextBytes } from './request-page.ts';
import { oneLine, stripHtml, tidyLines } from './strip-html.ts';
import type { WebSettings } from './web-config.ts';
import { WebFault } from './web-fault.ts';

export interface ReadLimits {
  readonly settings: WebSettings;
  /** For the work in the thread, milliseconds. */
  readonly capMs: number;
  readonly signal: AbortSignal;
}

type Text = Pick<Page, 'title' | 'text' | 'notes'>;

/** Throws a {@link WebFault} for what is no text. */
export async function readPage(reply: Downloaded, limits: ReadLimits): Promise<Page> {
  const declared = kindOf(reply.contentType);
  const kind = declared === 'unknown' ? sniff(reply.body) : declared;
  if (kind === 'binary') throw binaryFault(reply);
  const { title, text, notes } = kind === 'pdf' ? await readPdf(reply, limits) : await readText(kind, reply, limits);
  const cut = reply.isCut && kind !== 'pdf' ? [`The page is larger than ${maxTextBytes / 1e6} MB; what follows was not read.`] : [];
  return { url: reply.url.href, status: reply.status, type: reply.contentType, title, text, notes: [...(reply.way ? [reply.way] : []), ...cut, ...notes] };
}

async function readText(kind: 'html' | 'json' | 'text', reply: Downloaded, limits: ReadLimits): Promise<Text> {
  const text = decodeText(reply.body, reply.contentType);
  if (kind === 'html') return readHtml(text, reply.url, limits);
  return { title: '', text: kind === 'json' ? indentJson(text) : text.replaceAll('\r\n', '\n'), notes: [] };
}

async function readHtml(whole: string, base: URL, { settings, capMs, signal }: ReadLimits): Promise<Text> {
  const html = whole.slice(0, settings.maxPreprocessChars);
  const notes = html.length < whole.length ? [`Only the first ${html.length} characters of ${whole.length} of HTML were looked at.`] : [];
  if (!settings.isArticleOnly) {
    const stripped = stripHtml(html, base);
    return { ...stripped, notes: [...notes, ...noteOnEmptiness(stripped.text, html)] };
  }
  const clean = cleanHtml(html, settings.maxArticleChars);
  const { end, found } = await takeApart({ kind: 'article', html: clean.html }, capMs, signal);
  const article = found.find((message) => message.kind === 'article');
  const text = article ? stripHtml(article.html, base).text : '';
  const stripped = stripHtml(html, base);
  if (end !== 'whole')
    return {
      ...stripped,
      notes: [...notes, `The article could not be ${end === 'late' ? 'found in time' : 'taken out'}; this is the page with its tags stripped.`],
    };
  if (isTooLittle(text, stripped.text)) {
    return {
      ...stripped,
      notes: [...notes, 'The page has no clear article; this is the page with its tags stripped.', ...noteOnEmptiness(stripped.text, html)],
    };
  }
  const rest = clean.rest === '' ? '' : stripHtml(clean.rest, base).text;
  return {
    title: oneLine(article?.title ?? '') || stripped.title,
    text: rest === '' ? text : tidyLines(`${text}\n\n${rest}`),
    notes: [...notes, 'This is the article of the page; menus and the like were left out.'],
  };
}

/** A lead or a cookie notice is no article where the page says much more. */
function isTooLittle(article: string, all: string): boolean {
  return article.length === 0 || (article.length < 300 && article.length * 3 < all.length);
}

function noteOnEmptiness(text: string, html: string): string[] {
  if (text.length >= 100 || html.length < 500 || !/<script/i.test(html)) return [];
  return ['There is hardly any text: the page is made by its scripts, which are not run here. A browser tool may show it.'];
}

/** JSON that does not parse, and nesting that would blow it up, stay as they are. */
function indentJson(text: string): string {
  if (depthOf(text) > 60) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth);
    else if (char === ']' || char === '}') depth--;
  }
  return deepest;
}

async function readPdf(reply: Downloaded, { capMs, signal }: ReadLimits): Promise<Text> {
  if (reply.isCut) throw new WebFault(`The PDF is larger than ${maxPdfBytes / 1024 / 1024} MB.`, { hint: 'Look for a smaller version, or a page about it.' });
  const { end, found, fault } = await takeApart({ kind: 'pdf', bytes: new Uint8Array(reply.body) }, capMs, signal);
  const about = found.find((message) => message.kind === 'pdf');
  const pages = found.filter((message) => message.kind === 'page');
  if (pages.length === 0) {
    throw new WebFault(end === 'late' ? 'The PDF took too long to read.' : `The PDF cannot be read: ${fault ?? 'it has no pages.'}`, {
      hint: 'Look for another version.',
    });
  }
  const count = about?.pages ?? pages.length;
  const text = pages.map((page) => `[page ${page.number} of ${count}]\n${tidyLines(page.text)}`).join('\n\n');
  const notes = end === 'whole' ? [] : [`Only ${pages.length} of ${count} pages could be read${end === 'late' ? ' in time' : ''}.`];
  if (pages.every((page) => page.text.trim() === '')) notes.push('The pages have no text; they may be scanned pictures.');
  return { title: oneLine(about?.title ?? ''), text, notes };
}

function binaryFault(reply: Downloaded): WebFault {
  const type = mediaType(reply.contentType) || 'unknown';
  const hint = type.startsWith('image/')
    ? 'Images cannot be read with this tool. Look for a page that describes it.'
    : 'Only text can be read: HTML, JSON, plain text, markdown, XML, PDF.';
  return new WebFault(`${reply.url.host} answered a file of type ${type.slice(0, 100)}, which is not text.`, { hint });
}
