// Removes parts of a page that cannot belong to the article, so that the rest fits into the input limit of the article extraction.
import { Readability } from '@mozilla/readability';
import { attributesOf, type HtmlToken, isHiddenElement, type TokenizedHtml, tokenize, voidNames } from '#lib/html-tokens';
import { textStart } from '#lib/text';

export interface CleanHtml {
  /** A document of limited length. Elements that are open at its end have no closing tags. */
  readonly html: string;
  /** The rest of the page, also cleaned. */
  readonly rest: string;
}

const never: ReadonlySet<string> = new Set(
  ['svg', 'template', 'noscript', 'frame', 'frameset', 'object', 'embed', 'canvas', 'audio', 'video', 'map', 'link', 'meta', 'base', 'source', 'track', 'select', 'button', 'dialog', 'datalist', 'head', 'html', 'body'], // prettier-ignore
);
/** Elements that the extraction scores itself; they are removed only if a page does not fit. */
const besideArticles: ReadonlySet<string> = new Set(['nav', 'aside', 'footer', 'input', 'iframe']);
const menuRoles: ReadonlySet<string> = new Set(['navigation', 'complementary', 'contentinfo', 'search', 'menu', 'menubar', 'dialog', 'alertdialog']);
/** Elements whose tags are removed, but not their content; browsers create these elements themselves. */
const transparent: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset', 'noframes']);
/** Attributes that the extraction reads: `kept` on any element, `keptOf` on certain elements. */
const kept: ReadonlySet<string> = new Set(['class', 'id', 'role', 'rel', 'itemprop']);
const keptOf: Readonly<Record<string, ReadonlySet<string>>> = {
  a: new Set(['href']),
  tr: new Set(['rowspan']),
  td: new Set(['colspan']),
  table: new Set(['summary', 'datatable']),
};
/** Maximum length of an attribute value. Class lists of generated styles are long, and the first names carry the information. */
const longestValue = 80;
/** Maximum length of a URL; longer ones are not shown. */
const longestAddress = 300;
const longestMeta = 500;
const longestRecord = 20_000;

/** The extraction's own patterns for sections outside the article and for embedded videos. */
export const { unlikelyCandidates, okMaybeItsACandidate, videos } = (Readability.prototype as unknown as { REGEXPS: Readonly<Record<string, RegExp>> })
  .REGEXPS as {
  readonly unlikelyCandidates: RegExp;
  readonly okMaybeItsACandidate: RegExp;
  readonly videos: RegExp;
};

/** @param maxChars maximum length of the resulting document, without the head and foot around it */
export function cleanHtml(html: string, maxChars: number): CleanHtml {
  const page = tokenize(html);
  const all = cleanRange(page, 0, page.tokens.length, false);
  const body = all.length <= maxChars ? all : cleanRange(page, 0, page.tokens.length, true);
  const wanted = body.length <= maxChars ? body : cleanMain(page, body);
  const cut = cutPoint(wanted, maxChars);
  return { html: `<html><head>${headOf(page)}</head><body>${wanted.slice(0, cut)}`, rest: wanted.slice(cut) };
}

/** Returns title, author and base URL as HTML. */
function headOf({ html, tokens }: TokenizedHtml): string {
  const found: HtmlToken[] = [];
  for (const name of ['title', 'base'] as const) {
    const first = tokens.find((token) => token.name === name && (token.kind === 'raw' || token.kind === 'open'));
    if (first) found.push(first);
  }
  found.push(...tokens.filter((token) => isAbout(html, token)));
  return found.map(({ start, end }) => html.slice(start, end)).join('');
}

function isAbout(html: string, token: HtmlToken): boolean {
  const { kind, name, start, end } = token;
  if (kind === 'raw') {
    return name === 'script' && end - start <= longestRecord && /^<script[^>]{1,200}application\/ld\+json/i.test(html.slice(start, start + 250));
  }
  if (kind !== 'open' || name !== 'meta' || end - start > longestMeta) return false;
  const attributes = attributesOf(html, token);
  return /author|creator|title/i.test(`${attributes.get('name') ?? ''} ${attributes.get('property') ?? ''}`);
}

/** Cleans the largest `main` or `article`, if it contains most of the text. */
function cleanMain(page: TokenizedHtml, body: string): string {
  let best: readonly [number, number] | undefined;
  let size = 0;
  page.tokens.forEach((token, index) => {
    const end = page.closing[index] as number;
    if (token.kind !== 'open' || end === 0 || (token.name !== 'main' && token.name !== 'article')) return;
    const length = (page.tokens[end] as HtmlToken).end - token.start;
    if (length > size) [best, size] = [[index, end], length];
  });
  const main = best ? cleanRange(page, best[0], best[1] + 1, true) : '';
  return main.length * 2 >= body.length ? main : body;
}

/** Returns a position for the cut that is never inside a tag. */
function cutPoint(html: string, maxChars: number): number {
  if (html.length <= maxChars) return html.length;
  const tag = html.lastIndexOf('<', maxChars - 1);
  return tag > html.lastIndexOf('>', maxChars - 1) ? tag : maxChars;
}

/** @param isLean whether to remove elements that are usually outside articles */
function cleanRange(page: TokenizedHtml, from: number, to: number, isLean: boolean): string {
  const { html, tokens, closing } = page;
  const out: string[] = [];
  let preformatted = 0;
  /** Index of the tag that ends the outermost open article. */
  let articleEnd = -1;
  const unneeded = new Set<number>();
  for (let index = from; index < to; index++) {
    const token = tokens[index] as HtmlToken;
    const { kind, name } = token;
    const end = closing[index] as number;
    if (kind === 'text') out.push(preformatted > 0 ? html.slice(token.start, token.end) : html.slice(token.start, token.end).replace(/\s+/g, ' '));
    else if (kind === 'open') {
      const isInArticle = index < articleEnd;
      const attributes = attributesOf(html, token);
      if (isUnwanted(token, end, attributes) || (isLean && isBeside(page, token, end, attributes, isInArticle))) {
        if (end > 0 && !transparent.has(name)) index = end;
        continue;
      }
      if (name === 'a' && (preformatted > 0 || isTarget(attributes))) {
        if (end > 0) unneeded.add(end);
        continue;
      }
      if ((name === 'article' || name === 'main') && !isInArticle) articleEnd = end;
      if (name === 'pre' && end > 0) preformatted++;
      out.push(`<${name}${shownAttributes(name, attributes)}>`);
    } else if (kind === 'close' && !never.has(name) && !transparent.has(name) && !voidNames.has(name) && !unneeded.has(index)) {
      if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
      out.push(`</${name}>`);
    }
  }
  return out.join('');
}

/** Returns whether an element is invisible or has no text. */
function isUnwanted({ name }: HtmlToken, end: number, attributes: ReadonlyMap<string, string>): boolean {
  if (never.has(name) || transparent.has(name)) return true;
  if (name === 'img') return !['src', 'srcset', 'data-src', 'data-srcset'].some((one) => attributes.has(one));
  if (voidNames.has(name) || end === 0) return false;
  // Formulas occur twice; one copy is hidden from screen readers.
  const isUnseen = attributes.get('aria-hidden') === 'true' && !(attributes.get('class') ?? '').includes('fallback-image');
  return isUnseen || isHiddenElement(attributes);
}

function isBeside(page: TokenizedHtml, token: HtmlToken, end: number, attributes: ReadonlyMap<string, string>, isInArticle: boolean): boolean {
  if (besideArticles.has(token.name)) return true;
  if (token.name === 'header') return !isInArticle && !holdsHeading(page, token, end);
  return end > 0 && menuRoles.has((attributes.get('role') ?? '').toLowerCase());
}

/** Returns whether a page header contains the title of the article; other headers contain only menus. */
function holdsHeading({ html, tokens }: TokenizedHtml, token: HtmlToken, end: number): boolean {
  return end > 0 && /<h1[\s>]/i.test(html.slice(token.end, Math.min(tokens[end]?.start ?? token.end, token.end + 20_000)));
}

/**
 * Returns whether the URL of a link is kept. Links in code lose their URLs, because the extraction would count them as links and treat text with many links as
 * a menu.
 */
function isTarget(attributes: ReadonlyMap<string, string>): boolean {
  return !attributes.has('href') && (attributes.has('name') || attributes.has('id'));
}

function shownAttributes(element: string, attributes: ReadonlyMap<string, string>): string {
  // Only the presence of an image matters.
  if (element === 'img') return ' src="i"';
  if (element === 'iframe') {
    const address = attributes.get('src') ?? '';
    return videos.test(address) && address.length <= longestAddress ? ` src="${address.replaceAll('"', '&quot;')}"` : '';
  }
  const isHeading = /^h[1-6]$/.test(element);
  let shown = '';
  for (const [name, value] of attributes) {
    if (value === '' || !(kept.has(name) || keptOf[element]?.has(name))) continue;
    // On these elements, ids name chapters and may resemble the names of layout parts.
    if (name === 'id' && (isHeading || element === 'section')) continue;
    if (name === 'href' && (value.length > longestAddress || /^\s*(data|javascript|blob):/i.test(value))) continue;
    const short = name === 'href' ? value : textStart(value, longestValue);
    // On a heading, the class `header` does not mean the page header.
    shown += ` ${name}="${(isHeading && name === 'class' ? short.replace(/header/gi, 'heading') : short).replaceAll('"', '&quot;')}"`;
  }
  return shown;
}
