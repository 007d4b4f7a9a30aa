// Finds the quoted, forwarded and pasted parts of a user message, with or without markup. Pure.

export interface Span {
  readonly start: number;
  readonly end: number;
}

const kinds: readonly RegExp[] = [
  // Fenced blocks, and lines that begin with an angle bracket.
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))|^[ \t]*>[^\n]*$/gm,
  // A mail header line, and all text after it.
  /^-{2,20}[^\n]{0,80}\b(?:forwarded|original|weitergeleitete|ursprüngliche)\b[^\n]{0,80}-{2,}[ \t]*$[\s\S]*/gim,
  /^(?:from|von|de|subject|betreff|objet):[^\n]*\n(?:[^\n]*\n){0,2}?(?:to|an|à|sent|date|gesendet|datum|subject|betreff|objet):[\s\S]*/gim,
  /^[^\n]{3,200}\b(?:wrote|schrieb|écrit|escribió)\s?:[ \t]*$[\s\S]*/gim,
];
const quoted = /[“„«"][^“”„«»"\n]+[”“»"]/g;
/** Matches a line of a conversation: `[10:32] Bob: …`, `Bob (Monday): …`, `Bob: …`. */
const line = /^[ \t]*(\[[^\]\n]{1,30}\][ \t]*)?(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2})( \([^)\n]{1,30}\))?:[ \t]+\S[^\n]*$/gmu;

/** Minimum length of prose, in UTF-16 code units, in a message that may be an article. */
const long = 600;
/**
 * Minimum length, in UTF-16 code units, of a paragraph that is treated as pasted, in a message of at least `veryLong` units or with first-person statements in
 * fewer than half of its sentences.
 */
const longParagraph = 200;
const veryLong = 1_500;
const ownWord =
  /\b(?:i|we|me|my|mine|myself|us|our|ours|ich|wir|mir|mich|mein\w*|uns|unser\w*|je|nous|moi|mon|ma|mes|notre|nos|yo|nosotros|mi|mis|nuestr\w*|io|noi|mio|mia|nostr\w*|eu|meu|minha|noss\w*|ik|wij|mijn|ons|onze)\b|\bj['’]/i;
const cyrillicOwnWord = /(?<!\p{L})(?:я|мы|мне|нам|мо[йяёи]|моего|моей|наш\p{L}*)(?!\p{L})/iu;
const isOwn = (words: string): boolean => ownWord.test(words) || cyrillicOwnWord.test(words);

/** Returns the spans of quoted, forwarded and pasted text, in no order; they may overlap. */
export function pastedSpans(text: string): readonly Span[] {
  const marked = markedSpans(text);
  return [...marked, ...articleSpans(blanked(text, marked))];
}

/** Finds pasted text without markup: in a long text, the parts without first-person statements, or the whole text if it reads like an article. */
function articleSpans(text: string): Span[] {
  const size = text.replace(/\s+/g, ' ').trim().length;
  if (size < long) return [];
  const sentences = [...text.matchAll(/\S[^]*?(?:[.!?]["”’')]*(?=\s)|\n[ \t]*(?=\n)|$)/g)].map((found) => ({ ...spanOf(found), isOwn: isOwn(found[0]) }));
  const isArticle = size >= veryLong || sentences.filter((one) => one.isOwn).length * 2 < sentences.length;
  const paragraphs = isArticle ? [...text.matchAll(/\S(?:[^\n]|\n(?![ \t]*\n))*/g)].filter(([words]) => words.length >= longParagraph).map(spanOf) : [];
  return [...paragraphs, ...sentences.filter((one) => !one.isOwn).map(({ start, end }) => ({ start, end }))];
}

/** Replaces the spans with blanks of the same length. */
function blanked(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of inOrder(spans)) {
    const from = Math.max(at, start);
    if (end <= from) continue;
    parts.push(text.slice(at, from), text.slice(from, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const inOrder = (spans: readonly Span[]): Span[] => [...spans].sort((one, other) => one.start - other.start);

function markedSpans(text: string): readonly Span[] {
  // One or two words in quotation marks are a name or a figure of speech.
  const cited = [...text.matchAll(quoted)].filter(([words]) => words.slice(1, -1).trim().split(/\s+/).length > 2);
  const spans = [...cited, ...kinds.flatMap((kind) => [...text.matchAll(kind)])].map(spanOf);
  // Two lines by one speaker are a conversation; otherwise, the lines are a list.
  const lines = [...text.matchAll(line)];
  const names = new Map<string, number>();
  for (const [, , name = ''] of lines) names.set(name, (names.get(name) ?? 0) + 1);
  const spoken = lines.filter(([, time, name = '', more]) => time !== undefined || more !== undefined || (names.get(name) ?? 0) > 1);
  return spoken.length === 0 ? spans : [...spans, ...(lines.length > 1 ? lines : spoken).map(spanOf)];
}

/** Removes the pasted parts from a text. */
export function withoutPasted(text: string): string {
  const spans = inOrder(pastedSpans(text));
  let kept = '';
  let end = 0;
  for (const span of spans) {
    if (span.start > end) kept += `${text.slice(end, span.start)}\n`;
    end = Math.max(end, span.end);
  }
  return kept + text.slice(end);
}

const spanOf = ({ 0: found, index }: RegExpMatchArray): Span => ({ start: index ?? 0, end: (index ?? 0) + found.length });
