// Splits Markdown into blocks, so that only the growing block is parsed and rendered again.
import type { Token, Tokens } from 'marked';
import { takeFootnotes, type Footnote, type Piece } from './footnotes.ts';
import { isMath, lexBlocks } from '#lib/markdown';

export type Block =
  | { readonly key: string; readonly kind: 'text'; readonly raw: string; readonly isContinued: boolean }
  | { readonly key: string; readonly kind: 'code'; readonly raw: string; readonly lang: string; readonly code: string }
  | { readonly key: string; readonly kind: 'table'; readonly raw: string; readonly rows: number }
  /** `isOpen`: the formula is still incomplete. */
  | { readonly key: string; readonly kind: 'math'; readonly raw: string; readonly tex: string; readonly isOpen: boolean }
  /** A text block that is too large to parse as Markdown. */
  | { readonly key: string; readonly kind: 'plain'; readonly raw: string };

export interface Split {
  readonly blocks: readonly Block[];
  /** Link definitions; every block needs them. */
  readonly definitions: string;
  /** Footnotes in the order of their numbers. */
  readonly notes: readonly Footnote[];
}

/** Maximum number of characters of a block that is parsed as Markdown. */
const maxBlock = 12_000;
/** Maximum number of characters of a list that is not split. */
const maxList = 4_000;
/** Maximum nesting of lists and quotes that are parsed as Markdown. */
const maxDepth = 60;

/** Caches the last result: a growing text is parsed again only from its last block. */
export function createSplitter(): (text: string, isStreaming: boolean) => Split {
  let read = '';
  let wasStreaming = false;
  let pieces: Piece[] = [];
  let answer: Split = { blocks: [], definitions: '', notes: [] };
  return (text, isStreaming) => {
    if (text === read && isStreaming === wasStreaming) return answer;
    // A text that was parsed piece by piece is parsed as a whole once it is complete.
    const kept = isStreaming && text.startsWith(read) ? settled(pieces) : [];
    const start = endOf(kept);
    pieces = [...kept, ...lex(detached(text.slice(start)), start)];
    read = text;
    wasStreaming = isStreaming;
    answer = toSplit(pieces);
    return answer;
  };
}

/** Copies a substring. Engines may retain the whole text for a substring, and each block comes from a different state of the text. */
function detached(part: string): string {
  return ` ${part}`.slice(1);
}

/** Returns all blocks but the last non-blank one, which may continue. */
function settled(pieces: readonly Piece[]): Piece[] {
  let end = pieces.length - 1;
  while (end > 0 && pieces[end]?.token.type === 'space') end--;
  return pieces.slice(0, Math.max(0, end));
}

function endOf(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  return last ? last.start + last.token.raw.length : 0;
}

function lex(text: string, offset: number): Piece[] {
  try {
    let end = 0;
    // Only block boundaries are needed here; each block is parsed when rendered.
    return lexBlocks(text).map((token) => {
      // The lexer omits a duplicate definition, so there may be gaps between tokens.
      const start = Math.max(end, text.indexOf(token.raw, end));
      end = start + token.raw.length;
      return { start: offset + start, token };
    });
  } catch {
    // The nesting is too deep to parse.
    return [{ start: offset, token: { type: 'unreadable', raw: text } }];
  }
}

function toSplit(pieces: readonly Piece[]): Split {
  const { body, notes } = takeFootnotes(pieces);
  const blocks = joinDetails(body)
    .filter(({ token }) => token.type !== 'space' && token.type !== 'def')
    .flatMap(toBlocks);
  const definitions = body.flatMap(({ token }) => (token.type === 'def' ? [token.raw.trim()] : []));
  return { blocks, definitions: definitions.slice(0, 200).join('\n'), notes };
}

/** Joins the blocks of a `details` element once it is closed, because they are parsed as one. */
function joinDetails(pieces: readonly Piece[]): readonly Piece[] {
  if (!pieces.some(({ token }) => token.type === 'html' && /^\s*<details/i.test(token.raw))) return pieces;
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as Piece;
    const isOpening = piece.token.type === 'html' && /^\s*<details/i.test(piece.token.raw) && !/<\/details>/i.test(piece.token.raw);
    const end = isOpening ? pieces.findIndex(({ token }, index) => index > at && token.type === 'html' && /<\/details>\s*$/i.test(token.raw)) : -1;
    const raw =
      end === -1
        ? ''
        : pieces
            .slice(at, end + 1)
            .map(({ token }) => token.raw)
            .join('');
    if (end === -1 || raw.length > maxBlock) joined.push(piece);
    else {
      joined.push({ start: piece.start, token: { type: 'html', raw, text: raw } });
      at = end;
    }
  }
  return joined;
}

function toBlocks({ token, start }: Piece): Block[] {
  const { raw } = token;
  const key = String(start);
  if (token.type === 'code') {
    const { lang = '', text } = token as Tokens.Code;
    return [{ key, kind: 'code', raw, lang: /^[^\s{,]*/.exec(lang)?.[0].toLowerCase() ?? '', code: text }];
  }
  if (isMath(token)) return [{ key, kind: 'math', raw, tex: token.tex, isOpen: token.isOpen }];
  if (token.type === 'table') return [{ key, kind: 'table', raw, rows: (token as Tokens.Table).rows.length }];
  if (isDeep(token)) return [{ key, kind: 'plain', raw }];
  if (token.type === 'list' && raw.length > maxList) return listPieces(token as Tokens.List, start);
  if (raw.length > maxBlock || token.type === 'unreadable') return [{ key, kind: 'plain', raw }];
  return [{ key, kind: 'text', raw, isContinued: false }];
}

function isDeep(token: Token): boolean {
  let level: Token[] = [token];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((one) => ('items' in one ? (one.items as Token[]) : 'tokens' in one ? (one.tokens ?? []) : []));
  }
  return false;
}

/** Splits a long list into several with continuous numbering. */
function listPieces(list: Tokens.List, start: number): Block[] {
  const blocks: Block[] = [];
  let raw = '';
  let at = start;
  const push = (): void => {
    const key = String(at);
    blocks.push(raw.length > maxBlock ? { key, kind: 'plain', raw } : { key, kind: 'text', raw, isContinued: blocks.length > 0 });
    at += raw.length;
    raw = '';
  };
  for (const item of list.items) {
    raw += item.raw;
    if (raw.length > maxList) push();
  }
  if (raw !== '') push();
  return blocks;
}
