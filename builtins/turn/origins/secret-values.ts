// Extracts secret values: from a secrets file, all values that are not clearly harmless; from other texts, values that look like keys.
import { findSecrets } from '#lib/secrets';
import { squeeze } from '#lib/squeeze';

export interface Secret {
  /** The file that contains the secret, or the call that displayed it. */
  readonly ref: string;
  /** Name of the secret in its file, if any. */
  readonly name?: string;
  readonly value: string;
  /** Value normalised by `squeeze`; empty if it has so few letters or digits that only the verbatim value is searched. */
  readonly squeezed: string;
  /** Distances between the letters of the squeezed value, for detecting shifted alphabets. */
  readonly distances: string;
}

const shortest = 8;
const shortestSqueezed = 6;
/** Matches blocks whose content is public. */
const publicBlocks = /-----BEGIN (?:[A-Z0-9 ]* )?(?:CERTIFICATE|PUBLIC KEY|PARAMETERS|CRL)-----[\s\S]*?-----END [A-Z0-9 ]+-----/g;

/** Parses a secrets file, which may contain the line numbers that a tool adds. */
export function secretsIn(text: string, ref: string): Secret[] {
  const found: Secret[] = [];
  const add = (value: string, name?: string): void => {
    if (isSecretValue(value, name)) found.push(secretOf(value, ref, name));
  };
  for (const line of text.replace(publicBlocks, '').split(/\r?\n/)) {
    const bare = line.replace(/^\s*\d+\s*[\t|→:]\s?/, '').trim();
    if (bare === '' || /^(?:#|\/\/\s|;|-----)/.test(bare)) continue;
    const pair = /^(?:export\s+|set\s+)?["']?([\w.:/@-]*[\w])["']?\s*(?:=|:\s)\s*(.+?),?$/.exec(bare);
    if (pair) add(unquoted(pair[2] ?? ''), pair[1]);
    // `machine x login y password z`, `host:port:database:user:password`, a line of a key, or a bare value.
    else for (const word of bare.split(/[\s:,]+/)) add(unquoted(word));
    const inAddress = [/:\/\/[^\s/@:]*:([^\s/@]{4,})@/.exec(bare)?.[1] ?? [], bare.includes('://') ? secretParts(bare) : []].flat();
    for (const part of inAddress) found.push(secretOf(part, ref, pair?.[1]));
  }
  return found;
}

/** Returns the values in a text that look like keys, or that the text calls a password. */
export function keysIn(text: string, ref: string): Secret[] {
  return findSecrets(text).map((value) => secretOf(value, ref));
}

function secretOf(value: string, ref: string, name?: string): Secret {
  const squeezed = squeeze(value);
  const compared = squeezed.length >= shortestSqueezed ? squeezed : '';
  return { ref, value, squeezed: compared, distances: distancesOf(compared), ...(name === undefined ? {} : { name }) };
}

/**
 * Returns the distance of each letter to the previous one, starting with the second letter; shifting the alphabet does not change it. Digits stay unchanged.
 */
export function distancesOf(squeezed: string): string {
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

const unquoted = (value: string): string => /^(["'`])(.*)\1/.exec(value)?.[2] ?? value.replace(/\s+#.*$/, '');

const saysSo = /key|secret|token|pass|pwd|credential|auth|private|salt|signature|webhook|dsn|pin\b|cookie|session/i;

/** Returns false for booleans, numbers, local paths, plain words and plain addresses. */
function isSecretValue(value: string, name: string | undefined): boolean {
  if (value.length < shortest || /^\$\{?\w+\}?$/.test(value)) return false;
  if (name !== undefined && saysSo.test(name)) return true;
  if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return secretParts(value).length > 0;
  if (/^(?:[a-z]+|[\d.,:_-]+|\.{0,2}\/[\w./-]*|localhost[:\d]*|[a-z]+(?:[-_][a-z]+)*[-_]?\d{0,2})$/i.test(value))
    return /[a-z]/.test(value) && value.length >= 20 && !value.includes('/');
  return !/^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(value) || /\d.*\d.*\d/.test(value.replace(/:\d+$/, ''));
}

/** Returns the parts of an address that cannot be guessed. */
function secretParts(address: string): string[] {
  return address
    .replace(/^.*?:\/\/[^/?#\s]*/, '')
    .split(/[/?&=#"'\s]/)
    .filter((part) => part.length >= 12 && /\d/.test(part) && /[a-z]/i.test(part));
}
