// Renders inline Markdown as styled text: emphasis, code, links. Uses only the colours of the terminal.
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import type { Token, Tokens } from 'marked';
import { join, linkedSpan, spanOf, styles, type Row, type Span, type Style } from '../screen/spans.ts';

/** Returns one row for each line of the text. */
export function inlineRows(tokens: readonly Token[], style: Style = styles.plain): Row[] {
  const rows: Span[][] = [[]];
  const add = (text: string, own: Style): void => void rows.at(-1)?.push(spanOf(text.replaceAll('\n', ' '), own));

  function walk(all: readonly Token[], outer: Style): void {
    for (const token of all) visit(token, outer);
  }

  function visit(token: Token, outer: Style): void {
    switch (token.type) {
      case 'strong':
        return walk(token.tokens ?? [], join(outer, styles.bold));
      case 'em':
        return walk(token.tokens ?? [], join(outer, styles.italic));
      case 'del':
        return walk(token.tokens ?? [], join(outer, styles.strike));
      case 'codespan':
        return add((token as Tokens.Codespan).text, join(outer, styles.cyan));
      case 'math':
        return add(token.raw, outer);
      case 'br':
        return void rows.push([]);
      case 'link':
        return link(token as Tokens.Link, outer);
      case 'image':
        return add(`[${(token as Tokens.Image).text || 'picture'}] ${(token as Tokens.Image).href}`, join(outer, styles.dim));
      default:
        if (token.type !== 'html' && 'tokens' in token && token.tokens) return walk(token.tokens, outer);
        return add(decodeEntities('text' in token ? String(token.text) : token.raw), outer);
    }
  }

  /** Renders a link with its address, so that the user can check the address first. */
  function link({ href, text, tokens }: Tokens.Link, outer: Style): void {
    const first = rows.at(-1)?.length ?? 0;
    walk(tokens, join(outer, styles.underline));
    const shown = href.replace(/^mailto:/, '');
    if (shown !== text && shown !== '') add(` (${shown})`, join(outer, styles.dim));
    const row = rows.at(-1) ?? [];
    for (let at = first; at < row.length; at++) row[at] = linkedSpan(row[at]?.text ?? '', row[at]?.style ?? '', href);
  }

  walk(tokens, style);
  return rows;
}

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,32}));/gi, (whole, decimal?: string, hexadecimal?: string, name = '') => {
    const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
    if (decimal === undefined && hexadecimal === undefined) return decodeNamedCharacterReference(String(name)) || whole;
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
