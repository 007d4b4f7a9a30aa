// Tokenizes the bytes of JSON strings by the rules of `eachToken`, and counts given words.
import { eachToken, maxWordLength } from '#lib/words';

export interface WordReader {
  /** Counts of the given words since {@link begin}. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of all words since {@link begin}. */
  readonly length: number;
  begin(): void;
  /**
   * Reads the string whose text begins at `at`, up to its closing quote or to `until`. Returns the position, or -1 if a parser is needed.
   * @param weight number by which the count of each word is incremented
   */
  take(at: number, weight: number, until?: number): number;
}

const quote = 34;
const backslash = 92;
const letterU = 117;
/** Lower-case form of ASCII letters and digits; other bytes stay unchanged. */
const lowered = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 65 && byte <= 90) return byte + 32;
  return (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte > 127 ? byte : 0;
});
/** 1 for lower-case letters and digits; inside a word, these never begin a new word. */
const isSmall = Uint8Array.from(lowered, (lower, byte) => (lower === byte && byte !== 0 && byte < 128 ? 1 : 0));
const slots = 1 << 15;
const unwanted: readonly string[] = [''];

export function createWordReader(bytes: Buffer, terms: ReadonlySet<string>, stopWords: ReadonlySet<string>): WordReader {
  /** Cache of tokens by hash, because words repeat. */
  const hashes = new Int32Array(slots);
  const known: (readonly string[] | undefined)[] = Array.from({ length: slots });
  const beginnings = beginningsOf(terms, stopWords);
  const counts = new Map<string, number>();
  let length = 0;

  function takeWord(from: number, to: number, isPlain: boolean, weight: number): void {
    if (isPlain && to - from > maxWordLength) return;
    const hash = hashOf(bytes, from, to);
    const slot = (hash ^ (hash >>> 15)) & (slots - 1);
    let tokens = known[slot];
    if (tokens === undefined || hashes[slot] !== hash) {
      const made: string[] = [];
      eachToken(bytes.toString(isPlain ? 'latin1' : 'utf8', from, to).toLowerCase(), (token) => made.push(terms.has(token) ? token : ''));
      tokens = made.length === 1 && made[0] === '' ? unwanted : made;
      known[slot] = tokens;
      hashes[slot] = hash;
    }
    length += tokens.length * weight;
    if (tokens !== unwanted) for (const token of tokens) if (token !== '') counts.set(token, (counts.get(token) ?? 0) + weight);
  }

  function endWord(from: number, to: number, isPlain: boolean, weight: number): void {
    const size = to - from;
    const place = beginning(bytes[from] ?? 0, size > 1 ? (bytes[from + 1] ?? 0) : 0, size > 2 ? (bytes[from + 2] ?? 0) : 0);
    if (!isPlain || size > maxWordLength || beginnings[place] === 1) takeWord(from, to, isPlain, weight);
    else length += weight;
  }

  return {
    counts,
    get length() {
      return length;
    },
    begin() {
      if (counts.size > 0) counts.clear();
      length = 0;
    },
    take(from, weight, until = quote) {
      let start = -1;
      let isPlain = true;
      for (let at = from; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0;
        const lower = lowered[byte] ?? 0;
        if (lower !== 0) {
          // An upper-case letter after a lower-case one begins a word.
          if (start !== -1 && lower !== byte && isLower(bytes[at - 1] ?? 0)) {
            endWord(start, at, isPlain, weight);
            start = -1;
          }
          if (start === -1) {
            start = at;
            isPlain = true;
          }
          if (byte > 127) isPlain = false;
          while (isSmall[bytes[at + 1] ?? 0] === 1) at++;
          continue;
        }
        if (start !== -1) {
          endWord(start, at, isPlain, weight);
          start = -1;
        }
        if (byte === until) return at;
        if (byte === quote || byte < 32) return -1;
        if (byte !== backslash) continue;
        if (bytes[at + 1] === letterU) return -1;
        at++;
      }
      return -1;
    },
  };
}

/** Returns the table index of the first three characters, ignoring case. */
function beginning(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
}

/** Returns a table of the first three characters of the given words and of stop words; words with another beginning are skipped. */
function beginningsOf(terms: ReadonlySet<string>, stopWords: ReadonlySet<string>): Uint8Array {
  const table = new Uint8Array(1 << 15);
  const code = (word: string, at: number): number => (at < word.length ? word.charCodeAt(at) : 0);
  for (const word of stopWords) table[beginning(code(word, 0), code(word, 1), code(word, 2))] = 1;
  for (const term of terms) {
    // Word endings are removed: `adding` becomes `ad`, `dries` becomes `dry`.
    const isCut = term.length < 3 || (term.length === 3 && term.endsWith('y'));
    const thirds = isCut ? Array.from({ length: 32 }, (_, third) => third) : [code(term, 2)];
    for (const third of thirds) table[beginning(code(term, 0), code(term, 1), third)] = 1;
  }
  return table;
}

function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (lowered[bytes[at] ?? 0] ?? 0), 0x01000193);
  return hash;
}

function isLower(byte: number): boolean {
  return byte >= 97 && byte <= 122;
}
