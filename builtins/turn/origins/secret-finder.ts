// Finds secrets in a text; the search time hardly depends on the number of secrets.
import type { Secret } from './secret-values.ts';

export interface SecretFinder {
  readonly secrets: readonly Secret[];
  /** Finds secrets in a text. @param squeezed the same text normalized by `squeeze` */
  inText(text: string, squeezed: string): Secret[];
  inSqueezed(squeezed: string): Secret[];
  /** Finds secrets by the distances between their letters. @param distances distances of a squeezed text; see `distancesOf` */
  inDistances(distances: string): Secret[];
}

/** Minimum number of letter distances that a secret must have to be searched by distances. */
const shortestShifted = 7;
/** Number of characters in a lookup key; no value is shorter. */
const keyLength = 6;
/** Maximum number of values that are searched one by one. */
const fewValues = 64;

export function createSecretFinder(secrets: readonly Secret[]): SecretFinder {
  const findSqueezed = createValueFinder(secrets, ({ squeezed }) => squeezed, keyLength);
  const findShifted = createValueFinder(secrets, ({ distances }) => distances, shortestShifted);
  const unsqueezed = secrets.filter(({ squeezed }) => squeezed === '');
  return {
    secrets,
    inSqueezed: findSqueezed,
    inDistances: findShifted,
    inText: (text, squeezed) => [...findSqueezed(squeezed), ...unsqueezed.filter(({ value }) => text.includes(value))],
  };
}

function createValueFinder(secrets: readonly Secret[], valueOf: (secret: Secret) => string, shortest: number): (text: string) => Secret[] {
  const long = secrets.filter((secret) => valueOf(secret).length >= shortest);
  if (long.length <= fewValues) return (text) => long.filter((secret) => text.includes(valueOf(secret)));
  const byStart = new Map<string, Secret[]>();
  for (const secret of long) {
    const start = valueOf(secret).slice(0, keyLength);
    const known = byStart.get(start);
    if (known) known.push(secret);
    else byStart.set(start, [secret]);
  }
  return (text) => {
    const found = new Set<Secret>();
    for (let at = 0; at + shortest <= text.length; at++) {
      for (const secret of byStart.get(text.slice(at, at + keyLength)) ?? []) if (text.startsWith(valueOf(secret), at)) found.add(secret);
    }
    return [...found];
  };
}
