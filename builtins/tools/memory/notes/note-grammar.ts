// Defines the valid form of a note: ids, limits, and parsing of file entries.
import { textStart } from '#lib/text';
import { isRecord } from '#lib/values';
import type { NoteEvidence, NoteScope, NoteSource, StoredNote } from '../contract.ts';

export type NoteErrorReason = 'NOT_FOUND' | 'INVALID_NOTE' | 'REVISION_CONFLICT' | 'FULL' | 'UNSAFE_FILE';
export type NoteChange = 'remembered' | 'forgotten' | 'restored' | 'accepted' | 'pending';

export interface NoteKey {
  readonly id: string;
  readonly scope: NoteScope;
}

/** Maximum length of a note in UTF-16 code units. */
export const maxValue = 20_000;
export const maxKey = 200;
/** Maximum length of a quote in a note's evidence, in UTF-16 code units. */
export const maxQuote = 1_000;
/** Maximum number of notes per file, without deleted ones. */
export const maxNotes = 200_000;
/** Time in milliseconds for which a deleted note can be restored. */
export const restoreMs = 30 * 86_400_000;
/** Time in milliseconds for which a tombstone is kept for other copies of the file. */
export const tombstoneMs = 365 * 86_400_000;

export const typePattern = '^[a-z][a-z0-9_-]{0,31}$';
/** Pattern of a key, which excludes control characters. */
export const keyPattern = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,200}$';
/** Suffix of the key of a pending note that would replace another note. */
export const proposalEnding = '~proposed';
const isProposalKey = /~proposed(?:-\d+)?$/;

const typeGrammar = new RegExp(typePattern);
const keyGrammar = new RegExp(keyPattern, 'u');
const kinds: readonly unknown[] = ['user', 'tool', 'web', 'model', 'team'];
/** Matches a time such as 2026-01-31T12:00:00.000Z. */
const timeGrammar = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

export interface NoteName {
  readonly type: string;
  readonly key: string;
}

/** Splits an id into type and key; returns `undefined` for an invalid id. */
export function splitId(id: string): NoteName | undefined {
  const colon = id.indexOf(':');
  if (colon === -1) return undefined;
  const type = id.slice(0, colon);
  const key = id.slice(colon + 1);
  return typeGrammar.test(type) && keyGrammar.test(key) && key.trim() !== '' ? { type, key } : undefined;
}

/** Returns the reason, as the end of a sentence, if a note is invalid. */
export function whyUnfit({ type, key, value }: NoteName & { readonly value: string }): string | undefined {
  if (!typeGrammar.test(type)) return 'its type must have at most 32 lower-case letters, digits, - and _, and start with a letter';
  if (!keyGrammar.test(key) || key.trim() === '') return `its key must have 1 to ${maxKey} characters, none of them a control character`;
  if (isProposalKey.test(key)) return `a key must not end in ${proposalEnding}`;
  if (value.trim() === '') return 'its value is empty';
  if (value.length > maxValue) return `its value has ${value.length} characters; the maximum is ${maxValue}`;
  return undefined;
}

/** Parses an entry; returns `undefined` if it is not a note. Missing fields get their defaults. */
export function readNote(id: string, entry: unknown): StoredNote | undefined {
  if (!splitId(id) || !isRecord(entry)) return undefined;
  const raw = entry as Partial<Record<keyof StoredNote, unknown>>;
  if (typeof raw.value !== 'string' || raw.value.length > maxValue) return undefined;
  const createdAt = timeOf(raw.createdAt) ?? timeOf(raw.updatedAt) ?? new Date(0).toISOString();
  const deletedAt = timeOf(raw.deletedAt);
  return {
    value: raw.value,
    createdAt,
    updatedAt: timeOf(raw.updatedAt) ?? createdAt,
    accessCount: wholeNumber(raw.accessCount, 0),
    confidence: typeof raw.confidence === 'number' && raw.confidence >= 0 && raw.confidence <= 1 ? raw.confidence : 1,
    links: Array.isArray(raw.links) ? raw.links.filter((one): one is string => typeof one === 'string' && splitId(one) !== undefined).slice(0, 50) : [],
    source: sourceOf(raw.source),
    revision: wholeNumber(raw.revision, 1),
    ...(Number.isSafeInteger(raw.serial) && (raw.serial as number) > 0 ? { serial: raw.serial as number } : {}),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(raw.isPending === true ? { isPending: true } : {}),
    ...(typeof raw.replaces === 'string' && splitId(raw.replaces) ? { replaces: raw.replaces } : {}),
    ...evidenceIn(raw.evidence),
    ...(typeof raw.waits === 'string' ? { waits: textStart(raw.waits, 500) } : {}),
    ...(raw.isPinned === true ? { isPinned: true } : {}),
    ...(timeOf(raw.touchedAt) === undefined ? {} : { touchedAt: timeOf(raw.touchedAt) as string }),
    ...(typeof raw.seal === 'string' && raw.seal.length <= 64 ? { seal: raw.seal } : {}),
  };
}

/** Returns the note as stored at `now` (milliseconds since 1970): old deletions first lose their text, and are later removed. */
export function agedNote(note: StoredNote, now: number): StoredNote | undefined {
  if (note.deletedAt === undefined) return note;
  const age = now - Date.parse(note.deletedAt);
  if (age > tombstoneMs) return undefined;
  return age > restoreMs && note.value !== '' ? { ...note, value: '', links: [] } : note;
}

export function isActive(note: StoredNote | undefined): note is StoredNote {
  return note !== undefined && note.deletedAt === undefined && !note.isPending;
}

export function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && timeGrammar.test(value) ? value : undefined;
}

/** Returns whether the change affects the search. */
export function differs(before: StoredNote | undefined, after: StoredNote): boolean {
  return before?.value !== after.value || before.updatedAt !== after.updatedAt || before.deletedAt !== after.deletedAt || before.isPending !== after.isPending;
}

function wholeNumber(value: unknown, fallback: number): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fallback;
}

const maxEvidence = 16;
const classes: readonly unknown[] = ['user', 'workspace', 'tool', 'model', 'web'];

function evidenceIn(value: unknown): { readonly evidence?: readonly NoteEvidence[] } {
  const evidence = (Array.isArray(value) ? value : []).slice(0, maxEvidence).flatMap((one: unknown): NoteEvidence[] => {
    const { chatId, turnId, entryId, quote, class: origin, at } = Object(one) as Partial<Record<keyof NoteEvidence, unknown>>;
    if (typeof chatId !== 'string' || typeof entryId !== 'string' || typeof quote !== 'string' || !classes.includes(origin)) return [];
    const turn = typeof turnId === 'string' ? { turnId } : {};
    return [
      { chatId, ...turn, entryId, quote: textStart(quote, maxQuote), class: origin as NoteEvidence['class'], at: timeOf(at) ?? new Date(0).toISOString() },
    ];
  });
  return evidence.length === 0 ? {} : { evidence };
}

function sourceOf(value: unknown): NoteSource {
  const { kind, ref } = (typeof value === 'object' && value !== null ? value : {}) as { kind?: unknown; ref?: unknown };
  return { kind: kinds.includes(kind) ? (kind as NoteSource['kind']) : 'user', ref: typeof ref === 'string' ? textStart(ref, 2_000) : '' };
}
