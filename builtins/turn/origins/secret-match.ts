// Finds secrets that stand whole in one text, as they are or in another writing.
import { squeeze } from 'agent-harness/lib/squeeze';
import type { Reading } from './readings.ts';
import { distancesOf, type Secret } from './secret-values.ts';

export interface FoundSecret {
  readonly secret: Secret;
  /** The writing. Left out where it stands there as it is, apart from characters between its letters and digits. */
  readonly through?: string;
}

/** Of the distances between letters. */
const shortestShifted = 7;
/** Every second to every eighth character. */
const gaps = [2, 3, 4, 5, 6, 7, 8];

/** Each secret once. */
export function findWhole(secrets: readonly Secret[], readings: readonly Reading[]): FoundSecret[] {
  if (secrets.length === 0) return [];
  const found = findDecoded(secrets, readings);
  const [{ text: original } = { text: '' }] = readings;
  const squeezed = squeeze(original);
  const distances = distancesOf(squeezed);
  const writings = writingsOf(original, squeezed);
  for (const secret of secrets) {
    if (found.has(secret) || secret.squeezed === '') continue;
    const writing = writings.find(([, text]) => text.includes(secret.squeezed))?.[0];
    const isShifted = secret.distances.length >= shortestShifted && distances.includes(secret.distances);
    if (writing !== undefined || isShifted) found.set(secret, { secret, through: writing ?? 'shifted letters' });
  }
  return [...found.values()];
}

/** Those that stand in one of the readings. */
export function findDecoded(secrets: readonly Secret[], readings: readonly Reading[]): Map<Secret, FoundSecret> {
  const found = new Map<Secret, FoundSecret>();
  for (const { text, through } of readings) {
    const squeezed = squeeze(text);
    for (const secret of secrets) {
      if (!found.has(secret) && standsIn(secret, text, squeezed)) found.set(secret, { secret, ...(through === undefined ? {} : { through }) });
    }
  }
  return found;
}

function standsIn({ value, squeezed }: Secret, text: string, squeezedText: string): boolean {
  return squeezed === '' ? text.includes(value) : squeezedText.includes(squeezed);
}

/** Mirrored alphabet, every n-th letter or digit, words of one character, and the first characters of all words. */
function writingsOf(original: string, squeezed: string): [name: string, text: string][] {
  const mirrored = squeezed.replace(/[a-z]/g, (letter) => String.fromCharCode(219 - letter.charCodeAt(0)));
  const spaced = gaps.flatMap((every) => Array.from({ length: every }, (_, first) => everyNth(squeezed, first, every)));
  const words = original.match(/[\p{L}\p{N}]+/gu) ?? [];
  const single = words.filter((word) => word.length === 1).join('');
  const initials = words.map(([first = '']) => first).join('');
  return [
    ['a mirrored alphabet', mirrored],
    ...[...spaced, squeeze(single)].map((text): [string, string] => ['letters with others between', text]),
    ['the first letters of words', squeeze(initials)],
  ];
}

function everyNth(text: string, first: number, every: number): string {
  let found = '';
  for (let at = first; at < text.length; at += every) found += text.charAt(at);
  return found;
}
