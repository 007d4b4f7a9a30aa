// Finds all items derived from a source: notes, stored texts, and the compression summary.
import type { Note, NotePlace } from 'agent-harness/builtins/tools/memory';
import { sha256 } from '#lib/hash';
import { oneLine } from '#lib/text';
import type { KeptText, WhyDerived } from './contract.ts';
import { noteScopes, sourceOfEvidence, type DerivedRow, type DerivedSource } from './derived-notes.ts';
import { stillIn } from './stored-texts.ts';
import type { KnownChat } from './known-chat.ts';
import type { Place } from './read-chat.ts';

/** A derived item with the data that deleting it requires. */
export interface FoundDerived extends WhyDerived {
  readonly place: NotePlace;
  /** Version and store of a text; omitted for a note. */
  readonly kept?: Pick<KeptText, 'version'> & { readonly keeper: string };
}

export const yours = /* t */ 'You edited it, so it cannot be deleted here.';

/** Maximum number of notes per scope. */
export const mostNotes = 500;

/** @param how returns a sentence that states how the row is derived from the subject; `undefined` if it is unrelated */
export async function derivedNotesOf(known: KnownChat, how: (row: DerivedRow) => string | undefined): Promise<FoundDerived[]> {
  const { notes } = known.parts.services;
  const rows = notes ? [...known.derivedNotes, ...(await rowsOfEvidence(known))] : [];
  const found = new Map<string, FoundDerived>();
  for (const row of rows) {
    const why = how(row);
    if (why === undefined) continue;
    const place = { chatId: row.chatId, workspaceRoot: row.workspaceRoot };
    const note = row.scope && (await notes?.peek(place, row.noteId, row.scope).catch(() => undefined));
    if (!note || note.deletedAt !== undefined) continue;
    const one = foundNote(note, place, why);
    if (!found.has(one.key)) found.set(one.key, one);
  }
  const texts = known.derivedTexts.filter((row) => how(row) !== undefined);
  for (const { row, found: one } of await textsOf(known, texts)) {
    const why = how(row);
    if (why !== undefined && !found.has(one.key)) found.set(one.key, { ...one, how: one.isYours ? `${why} ${yours}` : why });
  }
  return [...found.values()];
}

/** Returns a sentence that states how a row repeats a source; `undefined` if it does not. @param what noun phrase for the source */
export function repeats({ sources }: DerivedRow, isIt: (source: DerivedSource) => boolean, what: string): string | undefined {
  const found = sources.find(isIt);
  return found && `It repeats ${what}: “${found.quote ?? '…'}”`;
}

/** Returns the current texts of the rows, with only those sources whose words they still contain. */
export async function textsOf(
  { parts: { keepers, derived } }: KnownChat,
  rows: readonly DerivedRow[],
): Promise<{ readonly row: DerivedRow; readonly found: FoundDerived }[]> {
  const all: { row: DerivedRow; found: FoundDerived }[] = [];
  for (const known of rows) {
    const { keeper = '', noteId: id, chatId, workspaceRoot } = known;
    const texts = keepers.get(keeper);
    // Omits a text if it is unknown whether it still exists.
    const text = await texts?.find(id).catch(() => null);
    if (texts && text === undefined) await derived.dropWords(keeper, id);
    const row = text && stillIn(known, text);
    if (!texts || !text || !row) continue;
    const { version, isPersons } = text;
    const found: FoundDerived = {
      ...{ kind: 'text', id, key: keyOf(keeper, id, version), text: oneLine(text.text, 200), how: '', where: texts.where },
      ...{ place: { chatId, workspaceRoot }, kept: { keeper, version } },
      ...(isPersons ? { isYours: true } : {}),
    };
    all.push({ row, found });
  }
  return all;
}

export function summaryOf(
  { compressed, place, removals }: KnownChat,
  about: (Place & { readonly callId?: string; readonly messageId?: string }) | undefined,
): FoundDerived[] {
  // A summary never contains a removed entry, because removing an entry drops the summary.
  if (!compressed || !about || about.id > compressed.id || removals.has(about.callId ?? about.messageId ?? '')) return [];
  const how = `The summary was written at ${compressed.at.slice(0, 16).replace('T', ' ')} UTC, after this text, and may contain it.`;
  return [{ kind: 'summary', id: 'summary', key: 'summary', text: /* t */ 'The summary of the older part of this chat', how, place }];
}

/** Returns rows for notes that have evidence of their own, including notes from before sources were recorded. */
async function rowsOfEvidence({ place, parts }: KnownChat): Promise<DerivedRow[]> {
  const all = (await parts.services.notes?.newest(place, noteScopes, mostNotes)) ?? [];
  return all
    .filter(({ evidence = [], source }) => evidence.some(({ chatId }) => chatId === place.chatId) || source.ref.startsWith('turn_'))
    .map(({ id: noteId, scope, createdAt: at, source, evidence = [] }) => ({
      ...{ ...place, noteId, scope, at, sources: evidence.map(sourceOfEvidence) },
      ...(source.ref.startsWith('turn_') ? { turnId: source.ref } : {}),
    }));
}

export function foundNote(note: Note, place: NotePlace, how: string): FoundDerived {
  const { id, scope, value } = note;
  const of = scope === 'chat' ? place.chatId : scope === 'workspace' ? place.workspaceRoot : '';
  return { kind: 'note', id, key: keyOf(scope, id, of, value), scope, text: oneLine(value, 200), how, place };
}

const keyOf = (...parts: readonly string[]): string => sha256(parts.join('\n')).slice(0, 16);
