// What would not be there without something: notes that were made of it, and the summary that may tell of it.
import type { Note, NotePlace } from 'agent-harness/builtins/tools/memory';
import { sha256 } from 'agent-harness/lib/hash';
import { oneLine } from 'agent-harness/lib/text';
import type { WhyDerived } from './contract.ts';
import { noteScopes, type DerivedNote } from './derived-notes.ts';
import type { KnownChat } from './known-chat.ts';
import { sourceOfEvidence } from './note-origins.ts';
import type { Place } from './read-chat.ts';

/** With the place that its note is deleted from. */
export interface FoundDerived extends WhyDerived {
  readonly place: NotePlace;
}

/** Of the notes of a place. */
export const mostNotes = 500;

/** @param how it came from what is asked about, as a sentence; `undefined` where it did not */
export async function derivedNotesOf(known: KnownChat, how: (row: DerivedNote) => string | undefined): Promise<FoundDerived[]> {
  const { notes } = known.parts;
  if (!notes) return [];
  const rows = [...known.derivedNotes, ...(await rowsOfEvidence(known))];
  const found = new Map<string, FoundDerived>();
  for (const row of rows) {
    const why = how(row);
    if (why === undefined) continue;
    const place = { chatId: row.chatId, workspaceRoot: row.workspaceRoot };
    const note = await notes.peek(place, row.noteId, row.scope).catch(() => undefined);
    if (!note || note.deletedAt !== undefined) continue;
    const one = foundNote(note, place, why);
    if (!found.has(one.key)) found.set(one.key, one);
  }
  return [...found.values()];
}

export function summaryOf(
  { compressed, place, takenOut }: KnownChat,
  about: (Place & { readonly callId?: string; readonly messageId?: string }) | undefined,
): FoundDerived[] {
  // What is taken out is in none: that which told of it was dropped.
  if (!compressed || !about || about.id > compressed.id || takenOut.has(about.callId ?? about.messageId ?? '')) return [];
  const how = `It was made at ${compressed.at.slice(0, 16).replace('T', ' ')} UTC, after this was said, and may tell of it.`;
  return [{ kind: 'summary', id: 'summary', key: 'summary', text: /* t */ 'The summary of the older part of this chat', how, place }];
}

/** Notes that say themselves what they rest on, also those from before anybody wrote it down. */
async function rowsOfEvidence({ place, parts: { notes } }: KnownChat): Promise<DerivedNote[]> {
  const all = (await notes?.newest(place, noteScopes, mostNotes)) ?? [];
  return all
    .filter(({ evidence = [], source }) => evidence.some(({ chatId }) => chatId === place.chatId) || source.ref.startsWith('turn_'))
    .map(({ id: noteId, scope, createdAt: at, source, evidence = [] }) => ({
      ...{ ...place, noteId, scope, at, sources: evidence.map(sourceOfEvidence) },
      ...(source.ref.startsWith('turn_') ? { turnId: source.ref } : {}),
    }));
}

export function foundNote(note: Note, place: NotePlace, how: string): FoundDerived {
  const { id, scope, value } = note;
  return { kind: 'note', id, key: keyOf(note, place), scope, text: oneLine(value, 200), how, place };
}

function keyOf({ id, scope }: Note, { chatId, workspaceRoot }: NotePlace): string {
  const of = scope === 'chat' ? chatId : scope === 'workspace' ? workspaceRoot : '';
  return sha256(`${scope}\n${id}\n${of}`).slice(0, 16);
}
