// Reduces lines to a given space: merges lines of the same form, then keeps the most informative ones. Pure.

interface Kept {
  readonly at: number;
  readonly text: string;
  readonly words: readonly string[];
}

/** Number of a line's rarest words that determine its rank. */
const rareWords = 4;

/**
 * Returns lines that fit into the space, in their original order. Of lines that differ only in numbers, only the first and the last are kept, with the number
 * of merged lines. If the text is still too long, lines with rare words are preferred (by inverse document frequency), and lines of failed calls rank before
 * other lines of the same weight.
 * @param room space in UTF-16 code units
 */
export function foldLines(lines: readonly string[], room: number): string[] {
  if (lengthOf(lines) <= room) return [...lines];
  const kept = mergeShapes(lines);
  if (lengthOf(kept.map(({ text }) => text)) <= room) return kept.map(({ text }) => text);
  const chosen = chooseTelling(kept, room);
  const leftOut = kept.length - chosen.length;
  return [...chosen.sort((left, right) => left.at - right.at).map(({ text }) => text), `- (${leftOut} more lines omitted)`];
}

function mergeShapes(lines: readonly string[]): Kept[] {
  const groups = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const shape = line.replace(/[0-9a-f]{64}|\d+/g, '#');
    groups.set(shape, [...(groups.get(shape) ?? []), at]);
  }
  const kept: Kept[] = [];
  for (const places of groups.values()) {
    const [first = 0] = places;
    const last = places.at(-1) ?? first;
    const count = places.length > 2 ? ` (and ${places.length - 2} more like this)` : '';
    for (const at of new Set([first, last])) {
      const line = lines[at] ?? '';
      kept.push({ at, text: at === first ? line + count : line, words: wordsOf(line) });
    }
  }
  return kept.sort((left, right) => left.at - right.at);
}

function wordsOf(line: string): string[] {
  return [...new Set(line.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])];
}

function chooseTelling(kept: readonly Kept[], room: number): Kept[] {
  const counts = new Map<string, number>();
  for (const { words } of kept) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = kept
    .map((one) => ({ one, rank: rankOf(one, counts, kept.length) }))
    .sort((left, right) => right.rank - left.rank || left.one.at - right.one.at);
  const chosen: Kept[] = [];
  let left = room;
  for (const { one } of ranked) {
    if (one.text.length + 1 > left) continue;
    left -= one.text.length + 1;
    chosen.push(one);
  }
  return chosen;
}

function rankOf({ text, words }: Kept, counts: ReadonlyMap<string, number>, lines: number): number {
  // Plain numbers are always rare, but are the least informative words.
  const weights = words.map((word) => Math.log(lines / (counts.get(word) ?? 1)) * (/^\d+$/.test(word) ? 0.3 : 1)).sort((left, right) => right - left);
  const rarest = weights.slice(0, rareWords).reduce((sum, weight) => sum + weight, 0) / rareWords;
  return rarest + (/\) failed/.test(text) ? 1 : 0);
}

export function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
