// Text for people and models: the one table of characters that hide, reorder or leave blank what is read; cuts; names that are near. Runs in
// browsers, too.

/** A part of a text; a hidden character comes as its number, `U+202E`. */
export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * Control and format characters (reading direction, no width, tags), lone surrogates, what fonts leave out by default
 * (fillers, variation selectors), every blank but the space, and signs that are drawn as nothing. Tabs, line feeds and line
 * ends of Windows stay; so do the joiners and selectors inside an emoji.
 */
const hiddenSource = [
  /(?<!\p{Extended_Pictographic})\ufe0f/u,
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/u,
  /\r(?!\n)/u,
  /(?![\t\n\r \u200d\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]/u,
]
  .map(({ source }) => source)
  .join('|');
const split = new RegExp(`(${hiddenSource})`, 'u');
const every = new RegExp(hiddenSource, 'gu');

/** The parts in their order; hidden characters are parts of their own. */
export function splitHidden(text: string): TextPart[] {
  return text
    .split(split)
    .map((part, index) => (index % 2 === 1 ? { text: numberOf(part), isHidden: true } : { text: part, isHidden: false }))
    .filter((part) => part.text !== '');
}

/** Hidden characters as `[U+202E]`: for what a person decides about, where nothing can be marked in another way. */
export function showHidden(text: string): string {
  return text.replace(every, (character) => `[${numberOf(character)}]`);
}

/** Hidden characters as escapes of JSON: it means the same, and shows it. @param json a whole document, or what stands in it */
export function escapeHidden(json: string): string {
  return json.replace(every, (character) => Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''));
}

/** Without hidden characters; other blanks become spaces. For other people's words about what they offer. */
export function stripHidden(text: string): string {
  return text.replace(every, (character) => (/\p{Z}/u.test(character) ? ' ' : ''));
}

function numberOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The beginning: at most `length` UTF-16 units, without half of a character at the cut. */
export function textStart(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '');
}

/** The end: at most `length` UTF-16 units, without half of a character at the cut. */
export function textEnd(text: string, length: number): string {
  return length <= 0 ? '' : text.slice(-length).replace(/^[\udc00-\udfff]/, '');
}

/** At most `length` UTF-16 units, an ellipsis for what is left out included. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${textStart(text, length - 1)}…`;
}

export interface Nearness {
  /** How many slips may be between two names of that length. */
  slips(length: number): number;
  /** Names that are the same in it are the same name. */
  readonly form?: (name: string) => string;
}

/** At most three of the names that somebody may have meant, best first: those that begin like the wanted one, or are a few slips away. */
export function nearestNames(wanted: string, names: readonly string[], { slips, form = (name) => name }: Nearness): string[] {
  const plain = form(wanted);
  return names
    .map((name) => ({ name, distance: plain.length > 1 && form(name).startsWith(plain) ? 0 : countSlips(plain, form(name)) }))
    .filter(({ name, distance }) => distance <= slips(name.length))
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Letters left out, added, changed, or swapped with their neighbour: packages count two for a swap, the most frequent slip of all. */
function countSlips(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      if (isSwapped) costs.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...costs));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
