// Finds complete secrets, verbatim or encoded, in one text.
import { squeeze } from '#lib/squeeze';
import type { Reading } from './readings.ts';
import type { SecretFinder } from './secret-finder.ts';
import { distancesOf, type Secret } from './secret-values.ts';

export interface FoundSecret {
  readonly secret: Secret;
  /** Encoding of the secret; omitted if it occurs verbatim, apart from characters between its letters and digits. */
  readonly through?: string;
}

/** Step sizes for reading characters: every second to every eighth character. */
const gaps = [2, 3, 4, 5, 6, 7, 8];

/** Finds the secrets in all decoded texts; returns each secret once. */
export function findWhole(finder: SecretFinder, readings: readonly Reading[]): FoundSecret[] {
  if (finder.secrets.length === 0) return [];
  const found = findDecoded(finder, readings);
  const [{ text: original } = { text: '' }] = readings;
  const squeezed = squeeze(original);
  const add = (secrets: readonly Secret[], through: string): void => {
    for (const secret of secrets) if (!found.has(secret)) found.set(secret, { secret, through });
  };
  for (const [name, text] of writingsOf(original, squeezed)) add(finder.inSqueezed(text), name);
  add(finder.inDistances(distancesOf(squeezed)), 'shifted letters');
  return [...found.values()];
}

/** Returns the secrets that occur in one of the decoded texts. */
export function findDecoded(finder: SecretFinder, readings: readonly Reading[]): Map<Secret, FoundSecret> {
  const found = new Map<Secret, FoundSecret>();
  for (const { text, through } of readings) {
    for (const secret of finder.inText(text, squeeze(text)))
      if (!found.has(secret)) found.set(secret, { secret, ...(through === undefined ? {} : { through }) });
  }
  return found;
}

/** Returns variants of a text: with a mirrored alphabet, every n-th letter or digit, one-character words, and the first characters of all words. */
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
