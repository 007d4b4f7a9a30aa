// Throws away what cannot belong to an article, so that the article fits into what the search for it gets.
import { attributesOf, type HtmlToken, isHidden, type TokenizedHtml, tokenize, voidNames } from './html-tokens.ts';

export interface CleanHtml {
  /** A document, at most as long as asked for; what is open at its end is not closed. */
  readonly html: string;
  /** What did not fit: cleaned, too. */
  readonly rest: string;
}

const never: ReadonlySet<string> = new Set(
  ['svg', 'template', 'noscript', 'iframe', 'frame', 'frameset', 'object', 'embed', 'canvas', 'audio', 'video', 'map', 'link', 'meta', 'base', 'source', 'track', 'input', 'select', 'button', 'dialog', 'datalist', 'nav', 'aside', 'footer', 'head', 'html', 'body'], // prettier-ignore
);
/** Their tags go, what they contain stays: a browser makes them itself. */
const transparent: ReadonlySet<string> = new Set(['html', 'head', 'body', 'frameset', 'noframes']);
const menuRoles: ReadonlySet<string> = new Set(['navigation', 'complementary', 'contentinfo', 'search', 'menu', 'menubar', 'dialog', 'alertdialog']);
const kept: ReadonlySet<string> = new Set(['href', 'src', 'alt', 'class', 'id']);
/** Class lists of generated styles are long; their first names are what says something. */
const longestValue = 80;
const longestAddress = 500;

/**
 * @param maxChars of the document that comes out; the head and foot around it not counted
 */
export function cleanHtml(html: string, maxChars: number): CleanHtml {
  const page = tokenize(html);
  const body = cleanRange(page, 0, page.tokens.length);
  const wanted = body.length <= maxChars ? body : cleanMain(page, body);
  const cut = cutPoint(wanted, maxChars);
  const title = page.tokens.find(({ kind, name }) => kind === 'raw' && name === 'title');
  const head = title ? html.slice(title.start, title.end) : '';
  return { html: `<html><head>${head}</head><body>${wanted.slice(0, cut)}`, rest: wanted.slice(cut) };
}

/** The largest `main` or `article`, where it holds most of the text. */
function cleanMain(page: TokenizedHtml, body: string): string {
  let best: readonly [number, number] | undefined;
  let size = 0;
  page.tokens.forEach((token, index) => {
    const end = page.closing[index] as number;
    if (token.kind !== 'open' || end === 0 || (token.name !== 'main' && token.name !== 'article')) return;
    const length = (page.tokens[end] as HtmlToken).end - token.start;
    if (length > size) [best, size] = [[index, end], length];
  });
  const main = best ? cleanRange(page, best[0], best[1] + 1) : '';
  return main.length * 2 >= body.length ? main : body;
}

/** Never inside a tag. */
function cutPoint(html: string, maxChars: number): number {
  if (html.length <= maxChars) return html.length;
  const tag = html.lastIndexOf('<', maxChars - 1);
  return tag > html.lastIndexOf('>', maxChars - 1) ? tag : maxChars;
}

function cleanRange(page: TokenizedHtml, from: number, to: number): string {
  const { html, tokens, closing } = page;
  const out: string[] = [];
  let preformatted = 0;
  /** Index of the tag that ends the outermost article that is open. */
  let articleEnd = -1;
  for (let index = from; index < to; index++) {
    const token = tokens[index] as HtmlToken;
    const { kind, name } = token;
    const end = closing[index] as number;
    if (kind === 'text') out.push(preformatted > 0 ? html.slice(token.start, token.end) : html.slice(token.start, token.end).replace(/\s+/g, ' '));
    else if (kind === 'open') {
      const isInArticle = index < articleEnd;
      const attributes = attributesOf(html, token);
      if (isDropped(page, token, end, attributes, isInArticle)) {
        if (end > 0 && !transparent.has(name)) index = end;
        continue;
      }
      if ((name === 'article' || name === 'main') && !isInArticle) articleEnd = end;
      if (name === 'pre' && end > 0) preformatted++;
      out.push(`<${name}${shownAttributes(name, attributes)}>`);
    } else if (kind === 'close' && !never.has(name) && !transparent.has(name) && !voidNames.has(name)) {
      if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
      out.push(`</${name}>`);
    }
  }
  return out.join('');
}

function isDropped(page: TokenizedHtml, token: HtmlToken, end: number, attributes: ReadonlyMap<string, string>, isInArticle: boolean): boolean {
  const { name } = token;
  if (never.has(name) || transparent.has(name)) return true;
  if (name === 'img' && (attributes.get('src') ?? '').startsWith('data:')) return true;
  if (name === 'header') return !isInArticle && !holdsHeading(page, token, end);
  if (voidNames.has(name)) return false;
  const isUnseen = isHidden(attributes) || attributes.get('aria-hidden') === 'true';
  return end > 0 && (isUnseen || menuRoles.has((attributes.get('role') ?? '').toLowerCase()));
}

/** The head of a page is menus, unless the article's title is in it. */
function holdsHeading({ html, tokens }: TokenizedHtml, token: HtmlToken, end: number): boolean {
  return end > 0 && /<h1[\s>]/i.test(html.slice(token.end, Math.min(tokens[end]?.start ?? token.end, token.end + 20_000)));
}

function shownAttributes(element: string, attributes: ReadonlyMap<string, string>): string {
  let shown = '';
  for (const [name, value] of attributes) {
    if (!kept.has(name) || value === '') continue;
    // There they are addresses of chapters, which may be called like parts of a frame.
    if (name === 'id' && /^(section|h[1-6])$/.test(element)) continue;
    const isAddress = name === 'href' || name === 'src';
    if (isAddress && (value.length > longestAddress || /^\s*(data|javascript|blob):/i.test(value))) continue;
    shown += ` ${name}="${(isAddress ? value : value.slice(0, longestValue)).replaceAll('"', '&quot;')}"`;
  }
  return shown;
}
