// Maintains an inverted index of the notes in one file, and updates it note by note. The vault's search package takes 10 s for 100,000 notes; this index takes
// half a second.
import type { StoredNote } from '../contract.ts';
import { eachToken } from '#lib/words';

/** Notes that contain a word: slot × 256 + count (at most 255), in ascending order; a single note is stored as that number itself. */
interface Postings {
  packed: Uint32Array;
  length: number;
}

export interface NoteIndex {
  has(id: string): boolean;
  /** Indexes the current state of a note; removes a deleted or pending note. `slot`: a slot from {@link skip}. */
  set(id: string, note: StoredNote | undefined, slot?: number): void;
  /**
   * Adds a new, immutable note from precomputed data.
   * @param counts number of occurrences of each word
   * @param length total number of words
   * @param slot slot from {@link skip}
   */
  add(id: string, counts: Iterable<readonly [string, number]>, length: number, updatedAt: number, slot?: number): void;
  /** Number of notes that can be found. */
  readonly size: number;
  /** Total number of words in all indexed notes, and the number of these notes. */
  readonly words: { readonly total: number; readonly notes: number };
  /** Returns the number of notes with the word; slightly too high after changes. */
  frequency(term: string): number;
  /** Reserves and returns the next slot, for a note that contains none of the words or is added later. Slots are in the order of the notes. */
  skip(): number;
  /**
   * Sums BM25 (Robertson and Zaragoza, 2009) over the terms, adds part of the scores of the notes written just before and after, and calls `take` for each note
   * that contains one of the terms.
   */
  score(terms: readonly WeightedTerm[], averageLength: number, take: (id: string, score: number, updatedAt: number) => void): void;
}

/** The part of the index that ranking needs. */
export type RankedIndex = Pick<NoteIndex, 'size' | 'words' | 'frequency' | 'score'>;

export interface WeightedTerm {
  readonly term: string;
  /** Rarity of the term. */
  readonly weight: number;
}

/** BM25 parameter. Notes are short, so word counts and length matter little. This and the following constants were measured with `npm run soak recall`. */
const k1 = 0.9;
const b = 0.3;
/** Shares of the scores of notes one and two positions away that are added to a note's score, because notes from one conversation explain each other. */
const nearWeights = [0.4, 0.3];
/** Maximum time in milliseconds between two notes of one conversation. */
const nearMs = 3_600_000;
/** Weight of a word in the key, relative to a word in the text. */
export const keyWeight = 3;
const maxSlots = 2 ** 24 - 1;
/** Initial number of slots; small, because most chats have no notes. */
const firstSlots = 32;

export function createNoteIndex(): NoteIndex {
  const terms = new Map<string, number | Postings>();
  const slots = new Map<string, number>();
  const ids: (string | undefined)[] = [];
  let lengths = new Uint16Array(firstSlots);
  let times = new Float64Array(firstSlots);
  let scores = new Float64Array(firstSlots);
  let isDead = new Uint8Array(firstSlots);
  let dead = 0;
  let totalWords = 0;

  function take(id: string, note: StoredNote, slot?: number): void {
    const counts = countWords(id, note.value);
    let length = 0;
    for (const count of counts.values()) length += count;
    slots.set(id, takeCounts(id, counts, length, Date.parse(note.updatedAt) || 0, slot));
  }

  function takeCounts(id: string, counts: Iterable<readonly [string, number]>, length: number, updatedAt: number, slot = skip()): number {
    for (const [term, count] of counts) add(term, slot * 256 + Math.min(255, count));
    ids[slot] = id;
    lengths[slot] = Math.min(65_535, length);
    times[slot] = updatedAt;
    totalWords += lengths[slot] ?? 0;
    return slot;
  }

  function skip(): number {
    if (ids.length >= lengths.length) grow();
    return ids.push(undefined) - 1;
  }

  function grow(): void {
    const size = lengths.length * 2;
    lengths = copied(new Uint16Array(size), lengths);
    times = copied(new Float64Array(size), times);
    scores = copied(new Float64Array(size), scores);
    isDead = copied(new Uint8Array(size), isDead);
  }

  function add(term: string, packed: number): void {
    const known = terms.get(term);
    if (known === undefined) return void terms.set(term, packed);
    if (typeof known === 'number') return void terms.set(term, { packed: Uint32Array.of(known, packed), length: 2 });
    if (known.length === known.packed.length) known.packed = copied(new Uint32Array(known.length * 2), known.packed);
    known.packed[known.length++] = packed;
  }

  function drop(id: string): void {
    const slot = slots.get(id);
    if (slot === undefined) return;
    slots.delete(id);
    ids[slot] = undefined;
    isDead[slot] = 1;
    totalWords -= lengths[slot] ?? 0;
    dead++;
    if (dead > Math.max(2_000, slots.size / 4)) sweep();
  }

  /** Removes deleted notes from the lists; their slots stay empty. */
  function sweep(): void {
    dead = 0;
    for (const [term, known] of terms) {
      if (typeof known === 'number') {
        if (isDead[known >>> 8]) terms.delete(term);
        continue;
      }
      let kept = 0;
      for (let at = 0; at < known.length; at++) {
        const packed = known.packed[at] ?? 0;
        if (!isDead[packed >>> 8]) known.packed[kept++] = packed;
      }
      known.length = kept;
      if (kept === 0) terms.delete(term);
    }
  }

  function scoreOne(packed: number, weight: number, average: number, touched: number[]): void {
    const slot = packed >>> 8;
    if (isDead[slot]) return;
    const count = packed & 255;
    if (scores[slot] === 0) touched.push(slot);
    scores[slot] = (scores[slot] ?? 0) + (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (lengths[slot] ?? 0)) / average));
  }

  /** Returns the weighted scores of the neighbouring notes. */
  function nearScore(slot: number): number {
    let sum = 0;
    for (const [place, weight] of nearWeights.entries()) {
      for (const near of [slot - place - 1, slot + place + 1]) {
        const score = scores[near];
        if (score && Math.abs((times[near] ?? 0) - (times[slot] ?? 0)) <= nearMs) sum += weight * score;
      }
    }
    return sum;
  }

  return {
    has: (id) => slots.has(id),
    set(id, note, slot) {
      const isNew = !slots.has(id);
      drop(id);
      if (!note || ids.length >= maxSlots) return;
      if (note.deletedAt === undefined && note.isPending !== true) take(id, note, slot);
      else if (isNew && slot === undefined) skip();
    },
    add(id, counts, length, updatedAt, slot) {
      if (ids.length < maxSlots) takeCounts(id, counts, length, updatedAt, slot);
    },
    skip,
    get size() {
      return slots.size;
    },
    get words() {
      return { total: totalWords, notes: slots.size };
    },
    frequency(term) {
      const known = terms.get(term);
      return known === undefined ? 0 : typeof known === 'number' ? 1 : known.length;
    },
    score(wanted, averageLength, found) {
      const average = Math.max(1, averageLength);
      const touched: number[] = [];
      for (const { term, weight } of wanted) {
        const known = terms.get(term);
        if (known === undefined) continue;
        if (typeof known === 'number') scoreOne(known, weight, average, touched);
        else for (let at = 0; at < known.length; at++) scoreOne(known.packed[at] ?? 0, weight, average, touched);
      }
      for (const slot of touched) {
        const id = ids[slot];
        if (id !== undefined) found(id, (scores[slot] ?? 0) + nearScore(slot), times[slot] ?? 0);
      }
      for (const slot of touched) scores[slot] = 0;
    },
  };
}

function countWords(id: string, value: string): Map<string, number> {
  const counts = new Map<string, number>();
  const colon = id.indexOf(':');
  if (!id.startsWith('fact:')) eachToken(id.slice(0, colon), (term) => counts.set(term, 1));
  eachToken(id.slice(colon + 1), (term) => counts.set(term, (counts.get(term) ?? 0) + keyWeight));
  eachToken(value, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return counts;
}

function copied<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(bigger: T, from: T): T {
  bigger.set(from);
  return bigger;
}
