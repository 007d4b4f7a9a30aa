// Truncates and formats text for users and models, and finds similar names. Also runs in browsers.

/** Returns the beginning of a string: at most `length` UTF-16 code units. Never splits a character. */
export function textStart(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\ud800-\udbff]$/, '');
}

/** Returns the end of a string: at most `length` UTF-16 code units. Never splits a character. */
export function textEnd(text: string, length: number): string {
  return length <= 0 ? '' : text.slice(-length).replace(/^[\udc00-\udfff]/, '');
}

/** Returns the UTF-16 code units from `start` to `end`. Never splits a character at either end. */
export function textPart(text: string, start: number, end: number): string {
  return textStart(text.slice(start), end - start).replace(start > 0 ? /^[\udc00-\udfff]/ : '', '');
}

/** Splits the whole text into pieces of at most `length` (at least 2) UTF-16 code units; no character is split. */
export function splitText(text: string, length: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? length) {
    const whole = text.slice(from, from + length);
    pieces.push(from + length < text.length ? textStart(whole, length) || whole : whole);
  }
  return pieces;
}

/** Returns a count with its noun: `1 line`, `2 lines`. */
export function countWithNoun(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Truncates a string to at most `length` UTF-16 code units, including an ellipsis. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${textStart(text, length - 1)}…`;
}

/**
 * Returns the whole text on one line of at most `longest` UTF-16 code units. Replaces each run of blanks, line ends, control characters and bidirectional marks
 * with a space.
 */
export function oneLine(text: string, longest = Infinity): string {
  return clip(text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim(), longest);
}

/** Returns the first non-blank line, trimmed: at most `longest` UTF-16 code units. Empty if the text has no such line. */
export function firstLine(text: string, longest = Infinity): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  return clip(line.trimEnd(), longest);
}

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Returns the text as a Markdown code block; the text stays unchanged whatever it contains. */
export function codeFence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Splits a comma-separated list. Trims the entries, preserves their order, and drops empty entries. */
export function listIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export interface Nearness {
  /** Maximum number of typing errors for a name of that length. */
  slips(length: number): number;
  /** Normalizes names for the comparison. */
  readonly form?: (name: string) => string;
}

/** Returns at most three likely intended names, best first: names that start with the wanted name or differ by a few typing errors. */
export function nearestNames(wanted: string, names: readonly string[], { slips, form = (name) => name }: Nearness): string[] {
  const plain = form(wanted);
  return names
    .map((name) => ({ name, distance: plain.length > 1 && form(name).startsWith(plain) ? 0 : countSlips(plain, form(name)) }))
    .filter(({ name, distance }) => distance <= slips(name.length))
    .sort((left, right) => left.distance - right.distance || (left.name < right.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Counts omitted, added and changed letters, and swaps of adjacent letters. A swap, the most frequent error, counts once; libraries count it twice. */
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
