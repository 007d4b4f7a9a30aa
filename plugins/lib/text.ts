// Text for people and models: cuts, lines, and names that are near. Runs in browsers, too.

/** The beginning: at most `length` UTF-16 units, without half of a character at the cut. */
export function textStart(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '');
}

/** The end: at most `length` UTF-16 units, without half of a character at the cut. */
export function textEnd(text: string, length: number): string {
  return length <= 0 ? '' : text.slice(-length).replace(/^[\udc00-\udfff]/, '');
}

/** The UTF-16 units from `start` to `end`, without half of a character at either cut. */
export function textPart(text: string, start: number, end: number): string {
  return textStart(text.slice(start), end - start).replace(start > 0 ? /^[\udc00-\udfff]/ : '', '');
}

/** All of the text in pieces of at most `length` UTF-16 units, at least 2; no character is split. */
export function splitText(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? length) {
    const whole = text.slice(from, from + length);
    pieces.push(from + length < text.length ? textStart(whole, length) || whole : whole);
  }
  return pieces;
}

/** At most `length` UTF-16 units, an ellipsis for what is left out included. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${textStart(text, length - 1)}…`;
}

/**
 * The whole text on one line of at most `longest` UTF-16 units: a space for every run of blanks, line ends, control characters
 * and marks that turn the reading order.
 */
export function oneLine(text: string, longest = Infinity): string {
  return clip(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim(), longest);
}

/** The first line that is not blank, trimmed: at most `longest` UTF-16 units. Empty where there is none. */
export function firstLine(text: string, longest = Infinity): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  return clip(line.trimEnd(), longest);
}

/** As text in a page, in an attribute, too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** As code in markdown, as it is, whatever is in it. */
export function codeFence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** What stands between the commas of a list, trimmed, in its order, without what is empty. */
export function listIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
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
