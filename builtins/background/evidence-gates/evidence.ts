// What of the named evidence holds: entries that are there, words that stand in them, and whose words they are.
import { stripHidden } from 'agent-harness/lib/hidden-text';
import { isRecord } from 'agent-harness/lib/values';
import type { EvidenceClass, EvidenceEntry, NoteEvidence } from './contract.ts';
import { withDates } from './dates.ts';
import { findQuote } from './read-entries.ts';
import { around, isExplicit, isNoStatement, isReported } from './support.ts';

/** What trusts more stands first. */
export const trust: readonly EvidenceClass[] = ['user', 'workspace', 'tool', 'model', 'web'];

export interface Held extends NoteEvidence {
  readonly from: string;
  /** Where in the workspace it stands. */
  readonly source: string;
  /** The sentences around the quote: cut out of one, it may say the opposite. */
  readonly sentence: string;
  /** The same with days as dates. */
  readonly words: string;
  readonly isExplicit: boolean;
  readonly isNoStatement: boolean;
}

export interface HeldEvidence {
  readonly held: readonly Held[];
  /** Quotes that do not stand where they were said to, or in entries that the proposer was not shown. */
  readonly forged: number;
}

const maxEvidence = 8;
/** UTF-16 units. */
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
    // What the user tells of others, or pasted, is others' word.
    const isOthers = entry.class === 'user' && (found.class !== 'user' || isReported(sentence) || disguised.test(sentence));
    held.push({
      ...{ chatId: entry.chatId, ...(entry.turnId === undefined ? {} : { turnId: entry.turnId }), entryId: entry.entryId, quote: words, at: entry.at },
      ...{
        class: isOthers ? 'web' : found.class,
        from: isOthers ? 'others, as the user told' : entry.from,
        source: entry.source ?? '',
        sentence,
        words: withDates(sentence, entry.at),
      },
      ...{ isExplicit: isExplicit(sentence), isNoStatement: isNoStatement(sentence) },
    });
  }
  return { held, forged };
}

/** Without breaks inside of a sentence and letters that are hidden or wide, so that a denial is read as people read it. */
function plain(text: string): string {
  return stripHidden(text.replace(/[^\S\n]|\n(?=[ \t]*\p{Ll})/gu, ' ')).normalize('NFKC');
}

/** Letters of another writing inside a word look the same, and are none that somebody typed. */
const disguised = /\p{Script=Latin}\p{Script=Cyrillic}|\p{Script=Cyrillic}\p{Script=Latin}/u;

/** The least trusted one. */
export function classOf(evidence: readonly Pick<NoteEvidence, 'class'>[]): EvidenceClass {
  return trust[Math.max(...evidence.map((one) => trust.indexOf(one.class)))] ?? 'web';
}

/**
 * How many sessions say it by themselves: a copy of a chat repeats it, and the same sentence read twice, or a part of it, is one source.
 * So is a file with all that stands in it, in however many sessions it is read.
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

/** As it is kept. */
export function keptEvidence({ chatId, turnId, entryId, quote, class: origin, at }: NoteEvidence): NoteEvidence {
  return { chatId, ...(turnId === undefined ? {} : { turnId }), entryId, quote, class: origin, at };
}
