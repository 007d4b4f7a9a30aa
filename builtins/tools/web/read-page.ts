// Converts a response to text: HTML as its article or without tags, indented JSON, a PDF by pages, other text unchanged.
import { maxLine, stripHtml, tidyLines } from '#lib/html-text';
import { withoutScripts } from '#lib/html-tokens';
import { oneLine, textStart } from '#lib/text';
import { jsonOf } from '#lib/values';
import { decodeText, kindOf, mediaType, sniff } from './content-kind.ts';
import type { DocumentThreads } from './document-threads.ts';
import type { Downloaded } from './download.ts';
import type { Page } from './page-cache.ts';
import { maxPdfBytes, maxTextBytes } from './request-page.ts';
import type { WebSettings } from './web-config.ts';
import { WebFault } from './web-fault.ts';

export interface ReadLimits {
  readonly settings: WebSettings;
  readonly threads: DocumentThreads;
  /** Time limit for the work in the thread, in milliseconds. */
  readonly capMs: number;
  readonly signal: AbortSignal;
}

type Text = Pick<Page, 'title' | 'text' | 'notes'> & { readonly isCut?: boolean };

/** Converts a reply. Rejects with a {@link WebFault} for binary content. */
export async function readPage(reply: Downloaded, limits: ReadLimits): Promise<Page> {
  const declared = kindOf(reply.contentType);
  const kind = declared === 'unknown' ? sniff(reply.body) : declared;
  if (kind === 'binary') throw binaryFault(reply);
  const { title, text, notes, isCut = false } = kind === 'pdf' ? await readPdf(reply, limits) : await readText(kind, reply, limits);
  const cut = [
    ...(reply.isCut ? [`The page is larger than ${maxTextBytes / 1e6} MB; the rest was not read.`] : []),
    ...(reply.isBroken ? ['The download broke off; this is the received part.'] : []),
  ];
  return {
    url: reply.url.href,
    status: reply.status,
    type: reply.contentType,
    title,
    text,
    isCut: isCut || cut.length > 0,
    notes: [...(reply.fallback ? [reply.fallback] : []), ...cut, ...notes],
  };
}

async function readText(kind: 'html' | 'json' | 'text', reply: Downloaded, limits: ReadLimits): Promise<Text> {
  const text = decodeText(reply.body, reply.contentType);
  if (kind === 'html') return readHtml(text, reply.url, limits);
  return { title: '', text: kind === 'json' ? indentJson(text) : text.replaceAll('\r\n', '\n'), notes: [] };
}

async function readHtml(whole: string, base: URL, { settings, threads, capMs, signal }: ReadLimits): Promise<Text> {
  // Scripts are excluded: in many pages they make up most of the bytes, but they are not text.
  const read = whole.length > settings.maxPreprocessChars ? withoutScripts(whole) : whole;
  const html = textStart(read, settings.maxPreprocessChars);
  const isCut = html.length < read.length;
  const notes = isCut ? [`Only the first ${html.length} of ${read.length} characters of HTML were read.`] : [];
  const stripped = (more: readonly string[]): Text => {
    const { title, text } = stripHtml(html, base);
    return { title, text, isCut, notes: [...notes, ...more, ...noteOnEmptiness(text, whole)] };
  };
  if (!settings.isArticleOnly) return stripped([]);
  const { end, found } = await threads.takeApart({ kind: 'article', html, address: base.href, maxChars: settings.maxArticleChars }, capMs, signal);
  const article = found.find((message) => message.kind === 'article');
  if (end !== 'whole' || !article)
    return stripped([`The article could not be ${end === 'late' ? 'found in time' : 'extracted'}; this is the page with its tags stripped.`]);
  // A teaser or a cookie notice is not an article if the page has much more text.
  const plain = article.text.length < 300 ? stripped(['The page has no clear article; this is the page without its tags.']) : undefined;
  if (plain && article.text.length * 3 < plain.text.length + 1) return plain;
  const ofPart = article.isCut ? [`The article was searched for in the first ${settings.maxArticleChars} characters of HTML, excluding menus.`] : [];
  return {
    title: oneLine(article.title, maxLine),
    text: article.text,
    isCut,
    notes: [...notes, 'This is the article only; menus and similar were removed.', ...ofPart],
  };
}

function noteOnEmptiness(text: string, html: string): string[] {
  if (text.length >= 100 || html.length < 500 || !/<script/i.test(html)) return [];
  return ['Almost no text: the page is rendered by scripts, which do not run here. A browser tool may show it.'];
}

/** Indents JSON; invalid JSON, and nesting that would expand too much, stay unchanged. */
function indentJson(text: string): string {
  if (depthOf(text) > 60) return text;
  const value = jsonOf(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
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

async function readPdf(reply: Downloaded, { threads, capMs, signal }: ReadLimits): Promise<Text> {
  if (reply.isCut) throw new WebFault(`The PDF is larger than ${maxPdfBytes / 1024 / 1024} MB.`, { hint: 'Look for a smaller version or a page about it.' });
  const { end, found, fault } = await threads.takeApart({ kind: 'pdf', bytes: new Uint8Array(reply.body) }, capMs, signal);
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
  if (pages.every((page) => page.text.trim() === '')) notes.push('The pages have no text; they may be scanned images.');
  return { title: oneLine(about?.title ?? '', maxLine), text, notes };
}

function binaryFault(reply: Downloaded): WebFault {
  const type = mediaType(reply.contentType) || 'unknown';
  const hint = type.startsWith('image/')
    ? 'Images cannot be read with this tool. Look for a page that describes it.'
    : 'Only text can be read: HTML, JSON, plain text, markdown, XML, PDF.';
  return new WebFault(`${reply.url.host} returned a file of type ${textStart(type, 100)}, not text.`, { hint });
}
