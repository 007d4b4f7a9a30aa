// Recognises the few HTML tags that are allowed in a text: from a fixed list, without attributes, and closed. All other tags stay text. Pure.
import type { Token } from 'marked';
import { lexMarkdown } from '#lib/markdown';

type Mark = 'kbd' | 'sub' | 'sup' | 'mark' | 'u' | 'br';

/** Content between an opening tag and its closing tag. */
export interface Markup {
  readonly tag: Mark | 'details';
  /** Title of a `details` element in Markdown; empty if there is none. */
  readonly title: string;
  readonly tokens: readonly Token[];
}

export type Joined = { readonly token: Token; readonly markup?: undefined } | { readonly markup: Markup };

const opening = /^<(kbd|sub|sup|mark|u)>$/i;
const details = /^\s*<details(?:\s+open)?>\s*(?:<summary>([\s\S]*?)<\/summary>)?([\s\S]*)$/i;
const detailsEnd = /<\/details>\s*$/i;

/** Groups the tokens of one level by HTML tags. */
export function joinMarkup(tokens: readonly Token[]): readonly Joined[] {
  const joined: Joined[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const found = token.type === 'html' ? (inlineAt(tokens, at) ?? detailsAt(tokens, at)) : undefined;
    joined.push(found ? { markup: found.markup } : { token });
    if (found) at = found.end;
  }
  return joined;
}

interface Found {
  readonly markup: Markup;
  /** Index of its last token. */
  readonly end: number;
}

function inlineAt(tokens: readonly Token[], at: number): Found | undefined {
  const { raw } = tokens[at] as Token;
  if (/^<br\s*\/?>$/i.test(raw)) return { markup: { tag: 'br', title: '', tokens: [] }, end: at };
  const tag = opening.exec(raw)?.[1]?.toLowerCase() as Mark | undefined;
  if (tag === undefined) return undefined;
  const end = tokens.findIndex((one, index) => index > at && one.type === 'html' && one.raw.toLowerCase() === `</${tag}>`);
  return end === -1 ? undefined : { markup: { tag, title: '', tokens: tokens.slice(at + 1, end) }, end };
}

function detailsAt(tokens: readonly Token[], at: number): Found | undefined {
  const [, title = '', rest = ''] = details.exec((tokens[at] as Token).raw) ?? [];
  if (!/^\s*<details/i.test((tokens[at] as Token).raw)) return undefined;
  const read = (text: string): readonly Token[] => (text.trim() === '' ? [] : lexMarkdown(text.trim()));
  if (detailsEnd.test(rest)) return { markup: { tag: 'details', title: title.trim(), tokens: read(rest.replace(detailsEnd, '')) }, end: at };
  const end = tokens.findIndex((one, index) => index > at && one.type === 'html' && detailsEnd.test(one.raw));
  if (end === -1) return undefined;
  const last = (tokens[end] as Token).raw.replace(detailsEnd, '');
  return { markup: { tag: 'details', title: title.trim(), tokens: [...read(rest), ...tokens.slice(at + 1, end), ...read(last)] }, end };
}
