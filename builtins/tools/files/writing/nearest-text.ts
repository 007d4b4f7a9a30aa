// Finds the lines of a text that are most similar to a failed search.
import { textStart } from '#lib/text';

export interface NearestText {
  /** Numbers of the first and the last line, counted from 1. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly isOnlySpace: boolean;
}

const maxComparisons = 1_000_000;
const maxSearchLines = 40;
const maxShown = 2000;
const enough = 0.4;

/** Returns the most similar lines; `undefined` if no lines are similar or the search would take too long. */
export function nearestText(text: string, search: string): NearestText | undefined {
  const lines = text.split(/\r?\n/);
  const wanted = trimBlankEnds(search.split(/\r?\n/)).slice(0, maxSearchLines).map(wordsOf);
  if (wanted.length === 0 || lines.length * wanted.length > maxComparisons) return undefined;
  const have = lines.map(wordsOf);
  let best = 0;
  let bestAt = -1;
  for (let at = 0; at + wanted.length <= have.length; at++) {
    let sum = 0;
    for (const [index, one] of wanted.entries()) sum += similarity(one, have[at + index] ?? emptyLine);
    const score = sum / wanted.length;
    if (score > best) [best, bestAt] = [score, at];
  }
  if (best < enough) return undefined;
  const found = lines.slice(bestAt, bestAt + wanted.length);
  const isOnlySpace = wanted.every((one, index) => one.bare === have[bestAt + index]?.bare);
  return { first: bestAt + 1, last: bestAt + wanted.length, text: textStart(found.join('\n'), maxShown), isOnlySpace };
}

interface Line {
  /** The line without white space. */
  readonly bare: string;
  readonly words: ReadonlySet<string>;
}

const emptyLine: Line = { bare: '', words: new Set() };

function wordsOf(line: string): Line {
  return { bare: line.replace(/\s+/g, ''), words: new Set(line.match(/\w+|[^\s\w]/g)?.slice(0, 200)) };
}

/** Returns 1 for lines that differ only in white space, otherwise the share of common words. */
function similarity(left: Line, right: Line): number {
  if (left.bare === right.bare) return 1;
  const total = left.words.size + right.words.size;
  if (total === 0) return 0;
  let common = 0;
  for (const word of left.words) if (right.words.has(word)) common++;
  return (0.95 * 2 * common) / total;
}

function trimBlankEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, last + 1);
}
