// Extracts the footnotes of a text, numbered in order of reference. Pure.
import type { Token, Tokens } from 'marked';

export interface Footnote {
  readonly id: string;
  /** Text in Markdown. */
  readonly text: string;
}

export interface Piece {
  readonly start: number;
  readonly token: Token;
}

const opening = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*/;

/** Returns the pieces of text without footnotes, and the footnotes in order of reference; unreferenced footnotes come last. */
export function takeFootnotes(pieces: readonly Piece[]): { readonly body: readonly Piece[]; readonly notes: readonly Footnote[] } {
  if (!pieces.some(({ token }) => token.raw.includes('[^'))) return { body: pieces, notes: [] };
  const body: Piece[] = [];
  const notes = new Map<string, string>();
  /** Id of the footnote that an indented paragraph would continue. */
  let last: string | undefined;
  for (const piece of pieces) {
    const { token, start } = piece;
    if (token.type === 'space') continue;
    if (last !== undefined && isIndented(token)) {
      notes.set(last, `${notes.get(last)}\n\n${token.raw.replace(/^(?: {1,4}|\t)/gm, '')}`);
      continue;
    }
    const read = token.type === 'paragraph' || token.type === 'def' ? readNotes(token.raw) : undefined;
    if (!read) {
      last = undefined;
      body.push(piece);
      continue;
    }
    if (read.before !== '') body.push({ start, token: { type: 'paragraph', raw: read.before, text: read.before, tokens: [] } });
    // As with links, the first definition applies.
    for (const { id, text } of read.notes) if (!notes.has(id)) notes.set(id, text);
    last = read.notes.at(-1)?.id;
  }
  const text = body.map(({ token }) => (token.type === 'code' ? '' : token.raw)).join('\n');
  const referred = [...text.matchAll(/\[\^([^\]\s]+)\]/g)].map((match) => match[1] as string);
  const ids = [...new Set([...referred.filter((id) => notes.has(id)), ...notes.keys()])];
  return { body, notes: ids.map((id) => ({ id, text: (notes.get(id) ?? '').trim() })) };
}

/** Returns the footnotes of a paragraph and the text before them; `undefined` if there are none. */
function readNotes(raw: string): { readonly before: string; readonly notes: readonly Footnote[] } | undefined {
  if (!raw.includes('[^')) return undefined;
  const before: string[] = [];
  const notes: { id: string; text: string }[] = [];
  for (const line of raw.split('\n')) {
    const id = opening.exec(line)?.[1];
    const note = notes.at(-1);
    if (id !== undefined) notes.push({ id, text: line.replace(opening, '') });
    else if (note) note.text += `\n${line}`;
    else before.push(line);
  }
  return notes.length === 0 ? undefined : { before: before.join('\n'), notes };
}

function isIndented(token: Token): boolean {
  return token.type === 'code' && (token as Tokens.Code).codeBlockStyle === 'indented';
}
