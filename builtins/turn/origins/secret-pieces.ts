// Finds secrets that are sent in pieces, across the fields of one call or across several calls of a chat.
import { squeeze } from '#lib/squeeze';
import { readingsOf, type Reading } from './readings.ts';
import { createSecretFinder, type SecretFinder } from './secret-finder.ts';
import { findDecoded } from './secret-match.ts';
import type { Secret } from './secret-values.ts';

/** Text that earlier calls of a chat have sent, reduced to possible pieces of secrets. */
export interface SentPieces {
  /** Pieces of the newest calls, newest last. */
  readonly calls: readonly CallPieces[];
  /** Pieces of older calls, merged into one set; each has at least {@link longPiece} characters. */
  readonly older: ReadonlySet<string>;
  /** Endings of the newest texts, and differences between consecutive texts; only those that are short or occur in a secret. */
  readonly endings: readonly string[];
  readonly changes: readonly string[];
  /** Total number of texts. */
  readonly count: number;
  readonly lastText: string;
}

interface CallPieces {
  readonly words: readonly string[];
  readonly pieces: readonly string[];
}

export const nothingSent: SentPieces = { calls: [], older: new Set(), endings: [], changes: [], count: 0, lastText: '' };

/** Length of a piece in the newest calls, in characters; a shorter piece would occur in every second word. */
const shortPiece = 4;
/** Length of a piece in older calls, in characters; the more text was sent, the more short pieces it contains by coincidence. */
const longPiece = 6;
const newestCalls = 64;
/** Maximum number of endings and differences that are compared; normally two per character of the longest secret. */
const mostSpelled = 1_200;
/** Maximum length of an ending that may encode one character. */
const longestCode = 4;
const longestEnding = 64;
/** Number of characters of the last text that are compared with the next text. */
const longestText = 2_000;
/** Minimum length of a secret that is searched for in pieces; only the beginning of a long secret is searched for. */
const shortestSecret = 8;
const longestSecret = 20_000;
/** A secret counts as sent if this share of it, or this number of its characters in long pieces, was sent. */
const enough = { part: 0.7, characters: 40 };

/** The secrets, prepared for comparison with pieces. */
export interface SecretPieces {
  readonly finder: SecretFinder;
  /** The secrets as text, one line per secret. */
  readonly lines: string;
  readonly pieces: ReadonlySet<string>;
  /** Maximum number of endings and differences that are compared. */
  readonly mostSpelled: number;
}

export function piecesOfSecrets(all: readonly Secret[]): SecretPieces {
  const secrets = all.filter(({ squeezed }) => squeezed.length >= shortestSecret);
  const values = secrets.map(comparedOf);
  return {
    finder: createSecretFinder(secrets),
    lines: values.join('\n'),
    pieces: new Set(values.flatMap((value) => [...partsOf(value, shortPiece), ...partsOf(value, longPiece)]).filter(isUnusual)),
    mostSpelled: Math.min(mostSpelled, 2 * Math.max(0, ...values.map(({ length }) => length))),
  };
}

/** Adds the texts of a call. @param readings decoded forms of each text */
export function addSent(sent: SentPieces, texts: readonly string[], readings: readonly Reading[], known: SecretPieces): SentPieces {
  if (known.finder.secrets.length === 0 || texts.length === 0) return sent;
  const calls = [...sent.calls, piecesIn(readings, known)];
  const dropped = calls.slice(0, -newestCalls).flatMap((call) => [...call.words, ...call.pieces].filter(({ length }) => length >= longPiece));
  const isTelling = (ending: string): boolean => ending.length <= longestCode || (ending.length <= longestEnding && known.lines.includes(squeeze(ending)));
  // The first text has no predecessor, so it is compared with the second.
  const changes = [...(sent.count === 0 ? [] : [sent.lastText]), ...texts].map((text, at, list) => differing(text, list[at === 0 ? 1 : at - 1] ?? ''));
  const newChanges = sent.count > 1 ? changes.slice(1) : changes;
  return {
    calls: calls.slice(-newestCalls),
    older: dropped.length === 0 ? sent.older : new Set([...sent.older, ...dropped]),
    endings: [...sent.endings, ...texts.map(endingOf).filter(isTelling)].slice(-known.mostSpelled),
    changes: [...(sent.count === 1 ? [] : sent.changes), ...newChanges.filter(isTelling)].slice(-known.mostSpelled),
    count: sent.count + texts.length,
    lastText: (texts.at(-1) ?? '').slice(0, longestText),
  };
}

function piecesIn(readings: readonly Reading[], { pieces, lines }: SecretPieces): CallPieces {
  const words = new Set<string>();
  const found = new Set<string>();
  for (const { text } of readings) {
    for (const word of text.split(/[^\p{L}\p{N}]+/u).map(squeeze)) if (word.length >= 2 && lines.includes(word)) words.add(word);
    const squeezed = squeeze(text);
    for (const length of [shortPiece, longPiece]) {
      for (let at = 0; at + length <= squeezed.length; at++) {
        const piece = squeezed.slice(at, at + length);
        if (pieces.has(piece)) found.add(piece);
      }
    }
  }
  return { words: [...words], pieces: [...found] };
}

/** Returns the secrets that were mostly sent in pieces, or that consecutive endings or differences spell. */
export function findInPieces({ finder }: SecretPieces, sent: SentPieces): Secret[] {
  if (finder.secrets.length === 0 || sent.calls.length === 0) return [];
  const spelled = new Set(spellingsOf(sent).flatMap((line) => [...findDecoded(finder, readingsOf(line).all).keys()]));
  const words = new Set([...sent.calls.flatMap((call) => call.words), ...sent.older]);
  const pieces = new Set([...sent.calls.flatMap((call) => call.pieces), ...sent.older]);
  const isSent = (value: string): boolean => isMadeOf(value, words) || isCovered(value, pieces);
  return finder.secrets.filter((secret) => spelled.has(secret) || isSent(comparedOf(secret)));
}

const comparedOf = ({ squeezed }: Secret): string => squeezed.slice(0, longestSecret);

function spellingsOf({ endings, changes }: SentPieces): string[] {
  const withoutCount = (words: readonly string[]): string[] => words.map((word) => word.replace(/^\d{1,3}[-_.:=]|[-_.:=]\d{1,3}$/g, ''));
  const lists = [endings, changes, withoutCount(endings), withoutCount(changes)];
  return [...new Set(lists.flatMap((words) => [words.join(''), words.join(' ')]))].filter(({ length }) => length >= shortestSecret);
}

const endingOf = (text: string): string => /[^/?&=\s#]*$/.exec(text.slice(-1_000).replace(/[/?&=\s#]+$/, ''))?.[0] ?? '';

function differing(text: string, other: string): string {
  let start = 0;
  while (start < text.length && start < other.length && text[start] === other[start]) start++;
  let end = 0;
  while (end < text.length - start && end < other.length - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
  return text.slice(start, text.length - end);
}

function partsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

/** Returns whether a few complete words, in any order, form the whole secret. */
function isMadeOf(wanted: string, words: ReadonlySet<string>): boolean {
  /** For each length, the minimum number of words that form the beginning of that length. */
  const fewest = [0];
  for (let start = 0; start < wanted.length; start++) {
    const count = fewest[start];
    if (count === undefined) continue;
    for (const word of words) {
      const end = start + word.length;
      if (wanted.startsWith(word, start) && count + 1 < (fewest[end] ?? Infinity)) fewest[end] = count + 1;
    }
  }
  return (fewest[wanted.length] ?? Infinity) <= wanted.length / 3;
}

/** Returns whether at least two pieces cover enough of the secret; a single long common word is a coincidence. */
function isCovered(wanted: string, pieces: ReadonlySet<string>): boolean {
  if (pieces.size < 2) return false;
  const long = coveredBy(wanted, longPiece, pieces);
  if (long.size >= enough.characters) return true;
  const short = coveredBy(wanted, shortPiece, pieces);
  return new Set([...long, ...short]).size >= Math.max(shortestSecret, wanted.length * enough.part);
}

/** Returns the positions that pieces of this length cover. */
function coveredBy(wanted: string, length: number, pieces: ReadonlySet<string>): Set<number> {
  const covered = new Set<number>();
  for (let at = 0; at + length <= wanted.length; at++) {
    if (!pieces.has(wanted.slice(at, at + length))) continue;
    for (let inner = at; inner < at + length; inner++) covered.add(inner);
  }
  return covered;
}

/** Returns whether the piece contains a digit or letter sequences that do not occur in ordinary words. */
function isUnusual(piece: string): boolean {
  return /\d/.test(piece) || !/[aeiouy]/.test(piece) || /[bcdfghjklmnpqrstvwxz]{4}|[qxz][^aeiouy]/.test(piece);
}
