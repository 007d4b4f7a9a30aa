// Checks the evidence of a proposed note: the entries exist, contain the quoted words, and have a trusted author.
import { stripHidden } from '#lib/hidden-text';
import { isRecord } from '#lib/values';
import type { EvidenceClass, EvidenceEntry, NoteEvidence } from './contract.ts';
import { withDates } from './dates.ts';
import { findQuote } from './read-entries.ts';
import { around, isExplicit, isNoStatement, isReported } from './support.ts';

/** Evidence classes, most trusted first. */
export const trust: readonly EvidenceClass[] = ['user', 'workspace', 'tool', 'model', 'web'];

export interface Held extends NoteEvidence {
  readonly from: string;
  /** Path of the source in the workspace; empty if unknown. */
  readonly source: string;
  /** The complete sentences around the quote, because a partial sentence may have the opposite meaning. */
  readonly sentence: string;
  /** The sentences with relative days replaced by dates. */
  readonly words: string;
  readonly isExplicit: boolean;
  readonly isNoStatement: boolean;
}

export interface HeldEvidence {
  readonly held: readonly Held[];
  /** Number of quotes that do not occur in the named entries, or that the proposer did not receive. */
  readonly forged: number;
}

const maxEvidence = 8;
/** Minimum length of a quote in UTF-16 code units. */
const shortest = 6;
const longest = 1_000;

export function holdEvidence(
  named: unknown,
  chats: readonly string[],
  entryOf: (chatId: string, entryId: string) => EvidenceEntry | undefined,
  wasShown: (entry: EvidenceEntry, quote: string) => boolean,
): HeldEvidence {
  const held: Held[] = [];
  let forged = 0;
  for (const one of Array.isArray(named) ? (named as unknown[]).slice(0, maxEvidence) : []) {
    const { chatId, entryId, quote } = isRecord(one) ? one : {};
    const words = typeof quote === 'string' ? quote.trim() : '';
    const wanted = typeof chatId === 'string' ? [chatId] : chats;
    const entry = typeof entryId === 'string' ? wanted.flatMap((id) => (chats.includes(id) ? (entryOf(id, entryId) ?? []) : []))[0] : undefined;
    const found = entry && words.length >= shortest && words.length <= longest && wasShown(entry, words) ? findQuote(entry, words) : undefined;
    if (!entry || !found) {
      forged++;
      continue;
    }
    const sentence = plain(around(entry.text, found.start, found.end));
    // Text that the user quoted or pasted is attributed to its source instead of the user.
    const isOthers = entry.class === 'user' && (found.class !== 'user' || isReported(sentence) || disguised.test(sentence));
    held.push({
      ...{ chatId: entry.chatId, ...(entry.turnId === undefined ? {} : { turnId: entry.turnId }), entryId: entry.entryId, quote: words, at: entry.at },
      ...{
        class: isOthers ? 'web' : found.class,
        from: isOthers ? 'others, as reported by the user' : entry.from,
        source: entry.source ?? '',
        sentence,
        words: withDates(sentence, entry.at),
      },
      ...{ isExplicit: isExplicit(sentence), isNoStatement: isNoStatement(sentence) },
    });
  }
  return { held, forged };
}

/** Replaces line breaks inside sentences, removes hidden characters, and normalises full-width letters, for the detection of negations. */
function plain(text: string): string {
  return stripHidden(text.replace(/[^\S\n]|\n(?=[ \t]*\p{Ll})/gu, ' ')).normalize('NFKC');
}

/** Matches words that mix similar letters of two scripts, which a user does not type. */
const disguised = /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u;

/** Returns the least trusted class of the evidence. */
export function classOf(evidence: readonly Pick<NoteEvidence, 'class'>[]): EvidenceClass {
  return trust[Math.max(...evidence.map((one) => trust.indexOf(one.class)))] ?? 'web';
}

/**
 * Counts independent sessions: a copied chat only repeats a statement, and an equal or contained sentence counts as the same source. A file counts as one
 * source even if several sessions read it.
 */
export function sessionsOf(evidence: readonly Held[]): number {
  const counted: (Pick<Held, 'chatId' | 'entryId' | 'source' | 'class'> & { readonly words: string })[] = [];
  for (const { chatId, entryId, sentence, source, class: origin } of evidence) {
    const words = sentence
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const isRepeated = counted.some(
      (one) =>
        one.entryId === entryId ||
        one.chatId === chatId ||
        (origin !== 'user' && (one.words.includes(words) || words.includes(one.words))) ||
        (origin !== 'user' && one.class !== 'user' && (isPartOf(one.source, source) || isPartOf(source, one.source))),
    );
    if (!isRepeated) counted.push({ chatId, entryId, source, class: origin, words });
  }
  return counted.length;
}

const isPartOf = (path: string, folder: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`);

/** Returns the evidence in its stored form. */
export function keptEvidence({ chatId, turnId, entryId, quote, class: origin, at }: NoteEvidence): NoteEvidence {
  return { chatId, ...(turnId === undefined ? {} : { turnId }), entryId, quote, class: origin, at };
}
