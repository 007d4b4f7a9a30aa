// Finds long parts of a short text in earlier texts. The size of the index is limited: the oldest texts are dropped first.

/** A common part: its position in the short text, and the earlier text that contains it. */
export interface Match<T> {
  readonly start: number;
  readonly end: number;
  readonly source: T;
}

export interface TextIndex<T> {
  /** @param text text normalized by `squeeze` */
  add(text: string, source: T): void;
  /** Returns the longest common parts first, without parts that are contained in others. @param text text normalized by `squeeze` */
  find(text: string): Match<T>[];
  /** Returns whether the complete text occurs in an earlier text. */
  has(text: string): boolean;
  clear(): void;
}

/** Length of a window in characters. Every eighth window is indexed, so no common part of twenty characters is missed. */
const windowLength = 12;
const step = 8;
export const shortestMatch = 20;
/** Maximum number of texts in one index; texts that may contain a window are compared one by one. */
const mostTexts = 1_000;
/** Number of slots that count the windows of all texts, so that most positions of another text can be skipped. */
const filterSlots = 1 << 19;
/** Maximum count of a slot; a slot that has reached it is never decremented. */
const mostCounted = 255;

interface Kept<T> {
  readonly text: string;
  readonly source: T;
  /** Positions of the text's windows by hash: position + 1, or 0 for an empty slot. Each text has its own table, so that the text can be dropped as a whole. */
  readonly slots: Uint32Array;
}

/** @param mostSigns maximum length of all texts together in characters; a longer text is truncated */
export function createTextIndex<T>(mostSigns: number): TextIndex<T> {
  let kept: Kept<T>[] = [];
  let signs = 0;
  let filter: Uint8Array | undefined;

  function count(text: string, by: 1 | -1): void {
    filter ??= new Uint8Array(filterSlots);
    for (let at = 0; at + windowLength <= text.length; at += step) {
      const slot = hashAt(text, at) % filterSlots;
      const counted = filter[slot] ?? 0;
      if (counted < mostCounted) filter[slot] = counted + by;
    }
  }

  function forgetOldest(): void {
    const { text = '' } = kept.shift() ?? {};
    signs -= text.length;
    count(text, -1);
  }

  return {
    add(whole, source) {
      const text = whole.slice(0, mostSigns);
      if (text.length < shortestMatch) return;
      kept.push({ text, source, slots: slotsOf(text) });
      signs += text.length;
      count(text, 1);
      while (signs > mostSigns || kept.length > mostTexts) forgetOldest();
    },
    find(text) {
      const found: Match<T>[] = [];
      if (!filter) return found;
      for (let at = 0; at + windowLength <= text.length; at++) {
        const hash = hashAt(text, at);
        const match = filter[hash % filterSlots] === 0 ? undefined : matchAt(text, at, hash, kept);
        if (!match) continue;
        found.push(match);
        at = match.end - 1;
      }
      return found.sort((one, other) => other.end - other.start - (one.end - one.start));
    },
    has: (text) => kept.some((one) => one.text.includes(text)),
    clear() {
      kept = [];
      signs = 0;
      filter = undefined;
    },
  };
}

function slotsOf(text: string): Uint32Array {
  const slots = new Uint32Array(1 << Math.ceil(Math.log2((text.length / step) * 2 + 2)));
  for (let at = 0; at + windowLength <= text.length; at += step) {
    let slot = hashAt(text, at) & (slots.length - 1);
    // If windows are equal, only one is indexed.
    while (slots[slot] !== 0 && !isSame(text, at, text, (slots[slot] ?? 0) - 1)) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = at + 1;
  }
  return slots;
}

/** Returns the common part around a window in the newest matching text; `undefined` if it is too short. */
function matchAt<T>(text: string, at: number, hash: number, kept: readonly Kept<T>[]): Match<T> | undefined {
  for (let index = kept.length - 1; index >= 0; index--) {
    const one = kept[index];
    const place = one ? placeOf(one, text, at, hash) : undefined;
    if (!one || place === undefined) continue;
    const { start, end } = widen(text, at, one.text, place);
    if (end - start >= shortestMatch) return { start, end, source: one.source };
  }
  return undefined;
}

function placeOf({ text: other, slots }: Kept<unknown>, text: string, at: number, hash: number): number | undefined {
  for (let slot = hash & (slots.length - 1); slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
    const place = (slots[slot] ?? 0) - 1;
    if (isSame(text, at, other, place)) return place;
  }
  return undefined;
}

function isSame(text: string, at: number, other: string, place: number): boolean {
  for (let sign = 0; sign < windowLength; sign++) if (text.charCodeAt(at + sign) !== other.charCodeAt(place + sign)) return false;
  return true;
}

/** Returns the longest common part around two equal windows. */
function widen(text: string, at: number, other: string, place: number): { readonly start: number; readonly end: number } {
  let end = windowLength;
  while (at + end < text.length && place + end < other.length && text.charCodeAt(at + end) === other.charCodeAt(place + end)) end++;
  let before = 0;
  while (before < at && before < place && text.charCodeAt(at - before - 1) === other.charCodeAt(place - before - 1)) before++;
  return { start: at - before, end: at + end };
}

function hashAt(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let one = at; one < at + windowLength; one++) hash = Math.imul(hash ^ text.charCodeAt(one), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
