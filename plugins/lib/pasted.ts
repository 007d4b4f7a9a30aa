// Parts of a person's message that are not their own words: what they quote, forward, or paste between fences. Pure.

export interface Span {
  readonly start: number;
  readonly end: number;
}

const kinds: readonly RegExp[] = [
  // Between fences, and behind an angle.
  /^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))|^[ \t]*>[^\n]*$/gm,
  // A mail, with all that follows.
  /^-{2,20}[^\n]{0,80}\b(?:forwarded|original|weitergeleitete|ursprüngliche)\b[^\n]{0,80}-{2,}[ \t]*$[\s\S]*/gim,
  /^(?:from|von|de|subject|betreff|objet):[^\n]*\n(?:[^\n]*\n){0,2}?(?:to|an|à|sent|date|gesendet|datum|subject|betreff|objet):[\s\S]*/gim,
  /^[^\n]{3,200}\b(?:wrote|schrieb|écrit|escribió)\s?:[ \t]*$[\s\S]*/gim,
];
const quoted = /[“„«"][^“”„«»"\n]+[”“»"]/g;
/** `[10:32] Bob: …`, `Bob (Monday): …`, `Bob: …` */
const line = /^[ \t]*(\[[^\]\n]{1,30}\][ \t]*)?(\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2})( \([^)\n]{1,30}\))?:[ \t]+\S[^\n]*$/gmu;

/** In no order; they may overlap. */
export function pastedSpans(text: string): readonly Span[] {
  // A word or two between quotation marks is a name, or is meant in another way.
  const cited = [...text.matchAll(quoted)].filter(([words]) => words.slice(1, -1).trim().split(/\s+/).length > 2);
  const spans = [...cited, ...kinds.flatMap((kind) => [...text.matchAll(kind)])].map(spanOf);
  // Lines of which somebody speaks two are a conversation, and others are a list.
  const lines = [...text.matchAll(line)];
  const names = new Map<string, number>();
  for (const [, , name = ''] of lines) names.set(name, (names.get(name) ?? 0) + 1);
  const spoken = lines.filter(([, time, name = '', more]) => time !== undefined || more !== undefined || (names.get(name) ?? 0) > 1);
  return spoken.length === 0 ? spans : [...spans, ...(lines.length > 1 ? lines : spoken).map(spanOf)];
}

/** Without them. */
export function withoutPasted(text: string): string {
  const spans = [...pastedSpans(text)].sort((one, other) => one.start - other.start);
  let kept = '';
  let end = 0;
  for (const span of spans) {
    if (span.start > end) kept += `${text.slice(end, span.start)}\n`;
    end = Math.max(end, span.end);
  }
  return kept + text.slice(end);
}

const spanOf = ({ 0: found, index }: RegExpMatchArray): Span => ({ start: index ?? 0, end: (index ?? 0) + found.length });
