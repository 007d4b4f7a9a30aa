// Finds secrets in what leaves: whole, written in another way, or in pieces.
import { readingsOf, type Reading } from './readings.ts';
import type { Secret } from './secret-values.ts';
import { squeeze } from 'agent-harness/lib/squeeze';

export interface FoundSecret {
  readonly secret: Secret;
  /** Left out where it stands there as it is, but for signs between its letters. */
  readonly through?: string;
}

/** Longer texts are looked at as they stand, and not for shifts and gaps. */
const mostTurned = 4_000;
/** Of the distances between letters. */
const shortestShifted = 7;
/** Signs of one piece: of fewer, every second word has some. */
const pieceLength = 4;
/** Of a secret that is looked for in pieces. */
const shortestInPieces = 8;
const longestInPieces = 300;
/** Of a secret, in pieces together. */
const enough = 0.7;

/** Each secret once. */
export function findWhole(secrets: readonly Secret[], readings: readonly Reading[]): FoundSecret[] {
  const found = new Map<Secret, FoundSecret>();
  for (const { text, through } of readings) {
    const squeezed = squeeze(text);
    for (const secret of secrets) {
      if (found.has(secret)) continue;
      if (standsIn(secret, text, squeezed)) found.set(secret, { secret, ...(through === undefined ? {} : { through }) });
    }
    if (squeezed.length > mostTurned || through !== undefined) continue;
    const ways = turnedWays(squeezed);
    const distances = distancesOf(squeezed);
    for (const secret of secrets) {
      if (found.has(secret) || secret.squeezed === '') continue;
      const way = ways.find(([, turned]) => turned.includes(secret.squeezed))?.[0];
      const own = distancesOf(secret.squeezed);
      const isShifted = own.length >= shortestShifted && distances.includes(own);
      if (way !== undefined || isShifted) found.set(secret, { secret, through: way ?? 'shifted letters' });
    }
  }
  return [...found.values()];
}

/** Secrets of which most stands in the texts together, or which their differing parts spell one after the other. */
export function findInPieces(secrets: readonly Secret[], texts: readonly string[]): Secret[] {
  if (texts.length === 0) return [];
  const squeezed = texts.map((text) => readingsOf(text).map((reading) => squeeze(reading.text)));
  const spelled = spellings(texts).map(squeeze);
  const words = wordsOf(texts);
  return secrets.filter((secret) => {
    const wanted = secret.squeezed;
    if (wanted.length < shortestInPieces || wanted.length > longestInPieces) return false;
    return (
      spelled.some((line) => line.includes(wanted) || line.includes([...wanted].reverse().join(''))) || isMadeOf(wanted, words) || isCovered(wanted, squeezed)
    );
  });
}

function standsIn({ value, squeezed }: Secret, text: string, squeezedText: string): boolean {
  return squeezed === '' ? text.includes(value) : squeezedText.includes(squeezed);
}

/** With the order of the alphabet turned, and every second or third sign. */
function turnedWays(squeezed: string): [string, string][] {
  let mirrored = '';
  for (const sign of squeezed) mirrored += sign >= 'a' && sign <= 'z' ? String.fromCharCode(219 - sign.charCodeAt(0)) : sign;
  const gaps: [string, string][] = [];
  for (const every of [2, 3]) {
    for (let first = 0; first < every; first++) {
      let text = '';
      for (let at = first; at < squeezed.length; at += every) text += squeezed.charAt(at);
      gaps.push(['letters with others between', text]);
    }
  }
  return [['a mirrored alphabet', mirrored], ...gaps];
}

/** How far each letter is from the one before, which stays the same when all are shifted; other signs as they are. From the second letter on. */
function distancesOf(squeezed: string): string {
  let distances = '';
  let last: number | undefined;
  for (let at = 0; at < squeezed.length; at++) {
    const code = squeezed.charCodeAt(at);
    const isLetter = code >= 97 && code <= 122;
    if (last !== undefined) distances += isLetter ? String.fromCharCode(256 + ((code - last + 26) % 26)) : squeezed.charAt(at);
    if (isLetter) last = code;
  }
  return distances;
}

/** What the texts spell by the parts in which each differs from the one before, or by their last words. */
function spellings(texts: readonly string[]): string[] {
  const tails = texts.map((text) => /[^/?&=\s#]*$/.exec(text.replace(/[/?&=\s#]+$/, ''))?.[0] ?? '');
  const parts = texts.map((text, at) => differing(text, texts[at === 0 ? 1 : at - 1] ?? ''));
  const withoutCount = (words: readonly string[]): string[] => words.map((word) => word.replace(/^\d{1,3}[-_.:=]|[-_.:=]\d{1,3}$/g, ''));
  return [tails, parts, withoutCount(tails), withoutCount(parts)].map((words) => words.join(''));
}

function differing(text: string, other: string): string {
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start++;
  let end = 0;
  while (end < text.length - start && end < other.length - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
  return text.slice(start, text.length - end);
}

/** Of two signs at least. */
function wordsOf(texts: readonly string[]): Set<string> {
  const words = texts.flatMap((text) => readingsOf(text).flatMap((reading) => reading.text.split(/[^\p{L}\p{N}]+/u)));
  return new Set(words.map(squeeze).filter(({ length }) => length >= 2));
}

/** Whether a few whole words, in whatever order they stand, make up all of it. */
function isMadeOf(wanted: string, words: ReadonlySet<string>): boolean {
  /** How many words the beginning of that length takes at least. */
  const least = [0];
  for (let end = 1; end <= wanted.length; end++) {
    const ways = least.flatMap((count, start) => (words.has(wanted.slice(start, end)) ? [count + 1] : []));
    least[end] = Math.min(...ways, Infinity);
  }
  return (least[wanted.length] ?? Infinity) <= wanted.length / 3;
}

/** Whether pieces in at least two texts or places cover most of it; one long word that both happen to have is none. */
function isCovered(wanted: string, texts: readonly (readonly string[])[]): boolean {
  const covered = new Set<number>();
  const pieces = new Set<string>();
  for (let at = 0; at + pieceLength <= wanted.length; at++) {
    const piece = wanted.slice(at, at + pieceLength);
    if (!/\d/.test(piece) && !isUnusual(piece)) continue;
    if (!texts.some((readings) => readings.some((text) => text.includes(piece)))) continue;
    pieces.add(piece);
    for (let sign = at; sign < at + pieceLength; sign++) covered.add(sign);
  }
  return pieces.size >= 2 && covered.size >= Math.max(8, wanted.length * enough);
}

/** Letters alone are a piece of a word more often than not, unless no word has them. */
function isUnusual(piece: string): boolean {
  return !/[aeiouy]/.test(piece) || /[bcdfghjklmnpqrstvwxz]{4}|[qxz][^aeiouy]/.test(piece);
}
