// Converts Markdown to plain text. Pure.
import type { MarkedToken, Token, Tokens } from 'marked';
import { isMath, lexMarkdown, type MathToken } from '#lib/markdown';

export function plainTextOf(markdown: string): string {
  return blocks(lexMarkdown(markdown)).trim();
}

const blocks = (tokens: readonly Token[] | undefined): string => (tokens ?? []).map((token) => block(token as MarkedToken)).join('');
const words = (tokens: readonly Token[] | undefined): string => (tokens ?? []).map((token) => word(token as MarkedToken)).join('');

function block(token: MarkedToken | MathToken): string {
  if (isMath(token)) return `${token.raw.trim()}\n\n`;
  switch (token.type) {
    case 'paragraph':
    case 'heading':
      return `${words(token.tokens)}\n\n`;
    case 'list':
      return `${token.items.map((item, index) => listItem(item, token, index)).join('\n')}\n\n`;
    case 'blockquote':
      return blocks(token.tokens);
    case 'code':
      return `${token.text}\n\n`;
    case 'table':
      return `${[token.header, ...token.rows].map((row) => row.map(({ tokens }) => words(tokens)).join('\t')).join('\n')}\n\n`;
    case 'space':
    case 'hr':
    case 'def':
      return '';
    default:
      return `${word(token)}\n`;
  }
}

function listItem(item: Tokens.ListItem, { ordered, start }: Tokens.List, index: number): string {
  const mark = ordered ? `${Number(start || 1) + index}. ` : '- ';
  const text = blocks(item.tokens)
    .trim()
    .replace(/\n{2,}/g, '\n');
  return `${mark}${text.replaceAll('\n', `\n${' '.repeat(mark.length)}`)}`;
}

function word(token: MarkedToken | MathToken): string {
  if (isMath(token)) return token.raw;
  if (token.type === 'br') return '\n';
  if (token.type === 'checkbox') return token.checked ? '[x] ' : '[ ] ';
  if (token.type === 'link') return words(token.tokens) === token.href ? token.href : `${words(token.tokens)} (${token.href})`;
  if (token.type === 'image') return token.text;
  if ('tokens' in token && token.tokens) return words(token.tokens);
  return 'text' in token ? token.text : token.raw;
}
