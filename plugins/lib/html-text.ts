// Converts HTML to text without a DOM: removes tags, converts blocks to lines, and keeps short links.
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { attributesOf, type HtmlToken, isHiddenElement, type TokenizedHtml, tokenize } from './html-tokens.ts';
import { oneLine } from './text.ts';

export interface StrippedHtml {
  readonly title: string;
  readonly text: string;
}

/** Elements that form their own line. */
const lines: ReadonlySet<string> = new Set(
  ['address', 'article', 'aside', 'body', 'caption', 'dd', 'details', 'dialog', 'div', 'dt', 'fieldset', 'figcaption', 'figure', 'footer', 'form', 'frameset', 'header', 'li', 'main', 'nav', 'option', 'section', 'select', 'summary', 'tbody', 'tfoot', 'thead', 'tr', 'legend', 'optgroup', 'center'], // prettier-ignore
);
/** Elements surrounded by an empty line. */
const paragraphs: ReadonlySet<string> = new Set(
  ['blockquote', 'dl', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ol', 'p', 'pre', 'table', 'ul'], // prettier-ignore
);
/** Elements whose content is not readable text. */
const unread: ReadonlySet<string> = new Set(['svg', 'template', 'canvas', 'audio', 'video', 'object', 'datalist']);
/** Inline elements separated by a space. */
const separated: ReadonlySet<string> = new Set(['button', 'label']);
const longestLink = 200;
/** Matches the text of a permalink next to a heading. */
const permalink = /^(?:[#¶§⚓]|🔗)$/u;
const bullet = '- ';

/** Maximum length of a title and of other one-line texts, in UTF-16 code units. */
export const maxLine = 300;

/**
 * Converts HTML to text. @param base URL for resolving links; omitted for a page that belongs to no site, whose text then includes the alternative texts of
 * images
 */
export function stripHtml(html: string, base?: URL): StrippedHtml {
  const page = tokenize(html);
  return { title: titleOf(page), text: textOf(page, base) };
}

function titleOf({ html, tokens }: TokenizedHtml): string {
  const title = tokens.find(({ kind, name }) => kind === 'raw' && name === 'title');
  return title ? oneLine(decodeHTML(html.slice(title.start, title.end).replace(/<\/?title[^<>]*>/gi, '')), maxLine) : '';
}

function textOf(page: TokenizedHtml, address: URL | undefined): string {
  const { html, tokens, closing } = page;
  const base = baseOf(page, address);
  const out = createLines();
  let open: OpenLink | undefined;
  const cells = createCells(out);
  let preformatted = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as HtmlToken;
    const { kind, name } = token;
    if (name === 'pre') preformatted = kind === 'open' ? preformatted + 1 : Math.max(0, preformatted - 1);
    if (kind === 'text') out.text(decodeHTML(html.slice(token.start, token.end)));
    else if (kind === 'open' && closing[index] && isUnseen(html, token)) index = closing[index] as number;
    else if (kind === 'open' && name === 'a') open = { address: addressOf(page, token, 'href', base), from: out.mark() };
    else if (kind === 'close' && name === 'a' && open) {
      endLink(out, open, preformatted > 0);
      open = undefined;
    } else if (kind === 'open' && (name === 'frame' || name === 'iframe')) {
      const address = addressOf(page, token, 'src', base);
      if (address !== '') out.line(`(frame: ${address})`);
    } else if (kind === 'open' && name === 'meta') {
      const target = forwardedTo(page, token, base);
      if (target !== '') out.line(`(forwards to: ${target})`);
    } else if (name === 'img') {
      if (address === undefined) out.text(pictureText(page, token));
    } else if (name === 'td' || name === 'th') {
      cells.end();
      if (kind === 'open') cells.begin();
    } else if (name === 'sup') {
      const next = tokens[index + 1];
      if (kind === 'open' && next?.kind === 'text') {
        out.text(raised(out.since(out.mark() - 1), decodeHTML(html.slice(next.start, next.end))));
        index++;
      }
    } else if (name === 'code') {
      // Separates adjacent code blocks, which contain the same code in two languages, or one line each.
      if (preformatted > 0 && kind === 'open' && tokens[index - 1]?.name === 'code') out.breakLine();
    } else if (kind === 'open' || kind === 'close') {
      if (name === 'tr') cells.end();
      if (name === 'table') cells.table(kind);
      layOut(out, kind, name);
    }
  }
  return out.end();
}

function isUnseen(html: string, token: HtmlToken): boolean {
  if (unread.has(token.name)) return true;
  const tag = html.slice(token.start, token.end);
  if (token.name !== 'dialog' && !/hidden|none/i.test(tag)) return false;
  const attributes = attributesOf(html, token);
  return isHiddenElement(attributes) || (token.name === 'dialog' && !attributes.has('open'));
}

interface Cells {
  begin(): void;
  /** Ends the open cell of the innermost table, if there is one, because closing tags are optional. */
  end(): void;
  table(kind: 'open' | 'close'): void;
}

function createCells(out: Lines): Cells {
  /** Start of each open cell. `undefined` marks the beginning of a table; the following cells belong to that table. */
  const open: (number | undefined)[] = [];
  const end = (): void => {
    const from = open.at(-1);
    if (from === undefined) return;
    open.pop();
    out.endCell(from);
  };
  return {
    begin: () => void open.push(out.mark()),
    end,
    table(kind) {
      if (kind === 'open') open.push(undefined);
      else {
        end();
        open.pop();
      }
    },
  };
}

interface OpenLink {
  /** The address to display; empty if there is none. */
  readonly address: string;
  readonly from: number;
}

/** Ends a link and inserts its address, except in code, which is copied verbatim. */
function endLink(out: Lines, { address, from }: OpenLink, isCode: boolean): void {
  const label = out.since(from).trim();
  if (permalink.test(label)) out.cut(from);
  else if (!isCode && address !== '' && label !== '' && label !== address && !address.endsWith(`//${label}`)) out.text(` (${address})`);
}

function layOut(out: Lines, kind: 'open' | 'close', name: string): void {
  // A paragraph at the beginning of a list item stays on the line of its bullet.
  const isBesideBullet = kind === 'open' && (name === 'p' || name === 'div') && out.isAtBullet();
  if (name === 'br') out.newLine();
  else if (separated.has(name)) out.text(' ');
  else if (isBesideBullet) return;
  else if (paragraphs.has(name)) out.breakParagraph();
  else if (lines.has(name)) out.breakLine();
  if (name === 'pre') out.keepSpaces(kind === 'open');
  if (kind !== 'open') return;
  if (name === 'li') out.text(bullet);
  else if (/^h[1-6]$/.test(name)) out.text(`${'#'.repeat(Number(name[1]))} `);
}

/** Returns superscript text with a `^` if it is an exponent: 2 to the power of n becomes 2^n, not 2n. Ordinals and footnotes stay unchanged. */
function raised(before: string, text: string): string {
  const isBase = /(?:^|[^\p{L}])\p{L}{1,2}$|[\d)]$/u.test(before.slice(-3));
  if (!isBase || !/^[-−+]?(?:\d{1,4}|[a-z])(?:\s?[-−+]\s?\d{1,2})?$/i.test(text)) return text;
  return text.length > 2 && /[-−+]/.test(text.slice(1)) ? `^(${text})` : `^${text}`;
}

function baseOf({ html, tokens }: TokenizedHtml, address: URL | undefined): URL | undefined {
  const tag = tokens.find(({ kind, name }) => kind === 'open' && name === 'base');
  const href = tag ? decodeHTMLAttribute(attributesOf(html, tag).get('href') ?? '') : '';
  return URL.canParse(href, address) ? new URL(href, address) : address;
}

function pictureText({ html }: TokenizedHtml, token: HtmlToken): string {
  const words = decodeHTMLAttribute(attributesOf(html, token).get('alt') ?? '').trim();
  return words === '' ? '' : ` [${words}] `;
}

/** Returns the target of a `meta` refresh. */
function forwardedTo({ html }: TokenizedHtml, token: HtmlToken, base: URL | undefined): string {
  const attributes = attributesOf(html, token);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return '';
  const target = /^[\d.\s]{1,20}[;,]\s{0,9}url\s{0,9}=\s{0,9}['"]?([^'"]+)/i.exec(decodeHTML(attributes.get('content') ?? ''))?.[1];
  return target === undefined ? '' : shownAddress(target, base);
}

/** Returns the address in an attribute; an empty string if there is no address to display. */
function addressOf({ html }: TokenizedHtml, token: HtmlToken, attribute: string, base: URL | undefined): string {
  return shownAddress(decodeHTMLAttribute(attributesOf(html, token).get(attribute) ?? ''), base);
}

function shownAddress(text: string, base: URL | undefined): string {
  const value = text.trim();
  if (value === '' || value.startsWith('#') || !URL.canParse(value, base)) return '';
  const url = new URL(value, base);
  return /^(https?|mailto|ftp):$/.test(url.protocol) && url.href.length <= longestLink ? url.href : '';
}

/** Maximum number of parts of a cell that are joined into one line. Without a limit, nested tables would be processed repeatedly. */
const maxPartsOfCell = 50;

interface Lines {
  text(text: string): void;
  /** Adds a separate line. */
  line(text: string): void;
  newLine(): void;
  /** Starts a line, unless one has just started. */
  breakLine(): void;
  breakParagraph(): void;
  keepSpaces(isKept: boolean): void;
  isAtBullet(): boolean;
  /** Ends a cell; a one-line cell stays on the line of its row, whatever blocks it contains. */
  endCell(from: number): void;
  mark(): number;
  /** Removes all text after the given position. */
  cut(mark: number): void;
  since(mark: number): string;
  end(): string;
}

function createLines(): Lines {
  const parts: string[] = [];
  let hasSpaces = false;
  let isFresh = true;
  const push = (part: string): void => void parts.push(part);
  const lines: Lines = {
    text(text) {
      const flat = text.replaceAll('\u00a0', ' ');
      const shown = hasSpaces ? flat : flat.replace(/[ \t\r\n\f]+/g, ' ');
      const tidy = isFresh && !hasSpaces ? shown.trimStart() : shown;
      if (tidy === '') return;
      push(tidy);
      isFresh = !hasSpaces && tidy.endsWith(' ');
    },
    line(text) {
      lines.breakLine();
      lines.text(text);
      lines.breakLine();
    },
    newLine() {
      push('\n');
      isFresh = true;
    },
    breakLine() {
      if (!parts.at(-1)?.endsWith('\n')) push('\n');
      isFresh = true;
    },
    breakParagraph() {
      push('\n\n');
      isFresh = true;
    },
    keepSpaces: (isKept) => void (hasSpaces = isKept),
    isAtBullet: () => parts.at(-1) === bullet,
    endCell(from) {
      if (parts.length - from <= maxPartsOfCell) {
        const cell = parts.slice(from).join('').trim();
        if (!cell.includes('\n')) {
          parts.splice(from, parts.length, ...(cell === '' ? [] : [cell]));
          isFresh = cell === '';
        }
      }
      lines.text(' | ');
    },
    mark: () => parts.length,
    cut: (mark) => void (parts.length = mark),
    since: (mark) => parts.slice(mark).join(''),
    end: () => tidyLines(parts.join('')),
  };
  return lines;
}

/** Removes trailing spaces, empty bullets, and repeated empty lines. */
export function tidyLines(text: string): string {
  const kept: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd().replace(/(?: \|)+$/, '');
    if (/^(-|#{1,6}|\|)?$/.test(line.trim())) {
      if (kept.at(-1) !== '' && kept.length > 0) kept.push('');
    } else kept.push(line);
  }
  return kept.join('\n').trim();
}
