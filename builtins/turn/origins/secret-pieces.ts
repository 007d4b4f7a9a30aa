// Finds secrets that leave in pieces: over the fields of one call, and over several calls of a chat.
import { squeeze } from 'agent-harness/lib/squeeze';
import { readingsOf, type Reading } from './readings.ts';
import { findDecoded } from './secret-match.ts';
import type { Secret } from './secret-values.ts';

/** What earlier calls of a chat sent, reduced to what can be part of a secret. */
export interface SentPieces {
  /** Newest last. */
  readonly calls: readonly CallPieces[];
  /** Pieces of calls that are no longer listed one by one, of {@link longPiece} characters and more. */
  readonly older: ReadonlySet<string>;
  /** How the texts end, and in what each differs from the text before. Short ones, or ones that stand in a secret; the newest. */
  readonly endings: readonly string[];
  readonly changes: readonly string[];
  /** Of all texts. */
  readonly count: number;
  readonly lastText: string;
}

interface CallPieces {
  readonly words: readonly string[];
  readonly pieces: readonly string[];
}

export const nothingSent: SentPieces = { calls: [], older: new Set(), endings: [], changes: [], count: 0, lastText: '' };

/** Characters of a piece in the newest calls; shorter ones are in every second word. */
const shortPiece = 4;
/** Of older calls: the more was sent, the more short pieces stand there by chance. */
const longPiece = 6;
const newestCalls = 64;
/** Endings and changes that can spell one character of a secret. */
const codesPerCharacter = 2;
/** Characters of an ending that may be a code for one character. */
const longestCode = 4;
const longestEnding = 64;
/** Characters of a secret that is looked for in pieces. */
const shortestSecret = 8;
const longestSecret = 300;
/** Part of a secret that must have left. */
const enough = 0.7;

/** The secrets as they are compared with pieces. */
export interface SecretPieces {
  readonly secrets: readonly Secret[];
  /** One line for each secret. */
  readonly lines: string;
  readonly pieces: ReadonlySet<string>;
  /** Endings and changes that are compared. */
  readonly mostSpelled: number;
}

export function piecesOfSecrets(all: readonly Secret[]): SecretPieces {
  const secrets = all.filter(({ squeezed: { length } }) => length >= shortestSecret && length <= longestSecret);
  const pieces = new Set(secrets.flatMap(({ squeezed }) => [...partsOf(squeezed, shortPiece), ...partsOf(squeezed, longPiece)]).filter(isUnusual));
  return {
    secrets,
    lines: secrets.map(({ squeezed }) => squeezed).join('\n'),
    pieces,
    mostSpelled: codesPerCharacter * Math.max(0, ...secrets.map(({ squeezed }) => squeezed.length)),
  };
}

/** @param readings of each of the texts */
export function addSent(sent: SentPieces, texts: readonly string[], readings: readonly Reading[], known: SecretPieces): SentPieces {
  if (known.secrets.length === 0 || texts.length === 0) return sent;
  const calls = [...sent.calls, piecesIn(readings, known)];
  const dropped = calls.slice(0, -newestCalls).flatMap((call) => [...call.words, ...call.pieces].filter(({ length }) => length >= longPiece));
  const isTelling = (ending: string): boolean => ending.length <= longestCode || (ending.length <= longestEnding && known.lines.includes(squeeze(ending)));
  // The very first text has none before it and is compared with the second.
  const changes = [...(sent.count === 0 ? [] : [sent.lastText]), ...texts].map((text, at, list) => differing(text, list[at === 0 ? 1 : at - 1] ?? ''));
  const newChanges = sent.count > 1 ? changes.slice(1) : changes;
  return {
    calls: calls.slice(-newestCalls),
    older: dropped.length === 0 ? sent.older : new Set([...sent.older, ...dropped]),
    endings: [...sent.endings, ...texts.map(endingOf).filter(isTelling)].slice(-known.mostSpelled),
    changes: [...(sent.count === 1 ? [] : sent.changes), ...newChanges.filter(isTelling)].slice(-known.mostSpelled),
    count: sent.count + texts.length,
    lastText: texts.at(-1) ?? '',
  };
}

function piecesIn(readings: readonly Reading[], { pieces, lines }: SecretPieces): CallPieces {
  const words = new Set<string>();
  const found = new Set<string>();
  for (const { text } of readings) {
    for (const word of text.split(/[^\p{L}\p{N}]+/u).map(squeeze))
      if (word.length >= 2 && word.length <= longestSecret && lines.includes(word)) words.add(word);
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

/** Secrets of which most was sent in pieces, or which endings or changes spell one after the other. */
export function findInPieces({ secrets }: SecretPieces, sent: SentPieces): Secret[] {
  if (secrets.length === 0 || sent.calls.length === 0) return [];
  const spelled = new Set(spellingsOf(sent).flatMap((line) => [...findDecoded(secrets, readingsOf(line).all).keys()]));
  const words = new Set([...sent.calls.flatMap((call) => call.words), ...sent.older]);
  const pieces = new Set([...sent.calls.flatMap((call) => call.pieces), ...sent.older]);
  return secrets.filter((secret) => spelled.has(secret) || isMadeOf(secret.squeezed, words) || isCovered(secret.squeezed, pieces));
}

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

/** Whether a few whole words, in whatever order, make up all of it. */
function isMadeOf(wanted: string, words: ReadonlySet<string>): boolean {
  /** The fewest words that make up the beginning of that length. */
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

/** At least two pieces: one long word that both have is chance. */
function isCovered(wanted: string, pieces: ReadonlySet<string>): boolean {
  const covered = new Set<number>();
  const found = new Set<string>();
  for (const length of [shortPiece, longPiece]) {
    for (const [at, piece] of partsOf(wanted, length).entries()) {
      if (!pieces.has(piece)) continue;
      found.add(piece);
      for (let inner = at; inner < at + length; inner++) covered.add(inner);
    }
  }
  return found.size >= 2 && covered.size >= Math.max(shortestSecret, wanted.length * enough);
}

/** Has a digit, or letters that ordinary words do not have. */
function isUnusual(piece: string): boolean {
  return /\d/.test(piece) || !/[aeiouy]/.test(piece) || /[bcdfghjklmnpqrstvwxz]{4}|[qxz][^aeiouy]/.test(piece);
}
