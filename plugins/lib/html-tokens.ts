// Splits HTML into tags and text in one pass, in linear time for any page. No library is used: the parser of htmlparser2 walks its stack for each closing tag,
// and takes 7 s for 700 kB of `<i>` and `</b>`; its tokenizer treats all text after an unclosed quote or title as one tag.

/** A tag, a text or a comment. `raw`: an element whose content is not markup (script, style, title, textarea), as one token. */
export interface HtmlToken {
  readonly kind: 'text' | 'open' | 'close' | 'raw' | 'comment';
  /** Name of the element in lower case; empty for text and comments. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface TokenizedHtml {
  readonly html: string;
  readonly tokens: readonly HtmlToken[];
  /** Index of the closing tag, by index of the opening tag; 0 for a tag that is not closed. */
  readonly closing: Int32Array;
}

const rawNames: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'noembed', 'xmp']);
export const voidNames: ReadonlySet<string> = new Set(
  ['area', 'base', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr'], // prettier-ignore
);

export function tokenize(html: string): TokenizedHtml {
  const tokens = [...cut(html)];
  return { html, tokens, closing: matchTags(tokens) };
}

/** Removes scripts, styles and comments. */
export function withoutScripts(html: string): string {
  const kept: string[] = [];
  for (const { kind, name, start, end } of cut(html))
    if (kind !== 'comment' && !(kind === 'raw' && (name === 'script' || name === 'style'))) kept.push(html.slice(start, end));
  return kept.join('');
}

function* cut(html: string): Generator<HtmlToken> {
  const name = /\/?[a-z][^\s/<>]*/iy;
  const findEnd = tagEnds(html);
  const findRawEnd = rawEnds(html);
  let from = 0;
  let at = html.indexOf('<');
  while (at !== -1) {
    let end: number;
    let token: HtmlToken | undefined;
    name.lastIndex = at + 1;
    if (html.startsWith('<!--', at)) {
      end = after(html.indexOf('-->', at + 4), 3, html);
      token = { kind: 'comment', name: '', start: at, end };
    } else if (html[at + 1] === '!' || html[at + 1] === '?') {
      end = after(html.indexOf('>', at), 1, html);
      token = { kind: 'comment', name: '', start: at, end };
    } else {
      const found = name.exec(html)?.[0].toLowerCase();
      end = found === undefined ? -1 : findEnd(name.lastIndex);
      if (found === undefined || end === -1) {
        at = html.indexOf('<', at + 1);
        continue;
      }
      const rawEnd = rawNames.has(found) ? findRawEnd(found, end) : -1;
      const isRaw = rawEnd !== -1;
      if (isRaw) end = rawEnd;
      token = { kind: isRaw ? 'raw' : found.startsWith('/') ? 'close' : 'open', name: found.replace('/', ''), start: at, end };
    }
    if (at > from) yield { kind: 'text', name: '', start: from, end: at };
    yield token;
    from = end;
    at = html.indexOf('<', end);
  }
  if (from < html.length) yield { kind: 'text', name: '', start: from, end: html.length };
}

const after = (found: number, length: number, html: string): number => (found === -1 ? html.length : found + length);

/** Returns the end of a tag: the first `>` outside quotes or, after an unclosed quote, the first `>` anywhere. */
function tagEnds(html: string): (from: number) => number {
  let hasOpenQuote = false;
  let hasNoMore = false;
  return (from) => {
    if (hasNoMore) return -1;
    if (!hasOpenQuote) {
      const stop = /["'>]/g;
      let at = from;
      for (;;) {
        stop.lastIndex = at;
        const found = stop.exec(html);
        if (!found) break;
        if (found[0] === '>') return found.index + 1;
        // Ignores quotes that do not follow an equals sign, because broken tags contain apostrophes.
        const isValue = /=\s{0,9}$/.test(html.slice(Math.max(from, found.index - 10), found.index));
        const closing = isValue ? html.indexOf(found[0], found.index + 1) : found.index;
        if (closing === -1) {
          hasOpenQuote = true;
          break;
        }
        at = closing + 1;
      }
    }
    const end = html.indexOf('>', from);
    hasNoMore = end === -1;
    return hasNoMore ? -1 : end + 1;
  };
}

/**
 * Returns the end of a raw element. An unclosed script includes the rest of the page, as in a browser. For an unclosed title, returns -1 (the tag is ignored),
 * because the page would otherwise be empty.
 */
function rawEnds(html: string): (name: string, from: number) => number {
  const endless = new Set<string>();
  return (name, from) => {
    if (!endless.has(name)) {
      const close = new RegExp(`</${name}[^>]{0,200}>`, 'gi');
      close.lastIndex = from;
      if (close.exec(html)) return close.lastIndex;
      endless.add(name);
    }
    return name === 'script' || name === 'style' ? html.length : -1;
  };
}

function matchTags(tokens: readonly HtmlToken[]): Int32Array {
  const closing = new Int32Array(tokens.length);
  const waiting = new Map<string, number[]>();
  tokens.forEach(({ kind, name }, index) => {
    if (kind === 'open' && !voidNames.has(name)) {
      const stack = waiting.get(name);
      if (stack) stack.push(index);
      else waiting.set(name, [index]);
    } else if (kind === 'close') {
      const open = waiting.get(name)?.pop();
      if (open !== undefined) closing[open] = index;
    }
  });
  return closing;
}

/** Returns the attributes of a tag: names in lower case, values verbatim. */
export function attributesOf(html: string, tag: HtmlToken): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const text = html.slice(tag.start + 1 + tag.name.length, tag.end - 1);
  for (const [, name = '', double, single, bare] of text.matchAll(/([^\s"'<>/=]+)(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g)) {
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), double ?? single ?? bare ?? '');
  }
  return found;
}

/** Returns whether the attributes of the element itself hide it in a browser. */
export function isHiddenElement(attributes: ReadonlyMap<string, string>): boolean {
  return attributes.has('hidden') || /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i.test(attributes.get('style') ?? '');
}
