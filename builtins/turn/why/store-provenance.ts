// Stores the provenance of a turn, and removes the words of forgotten notes from it, then or later.
import type { NotePlace, Notes } from 'agent-harness/builtins/tools/memory';
import type { Chats } from 'agent-harness/plugins/chats';
import { noteScopes } from './derived-notes.ts';
import type { ProvenanceStore } from './provenance-store.ts';
import type { KeptNote } from './note-origins.ts';
import { noteIdsOf, withoutNote, type GoneNote, type NotesInPrompts } from './notes-in-prompts.ts';
import type { Piece, TurnProvenance } from './turn-provenance.ts';

export interface StoreProvenanceParts {
  readonly chats: Pick<Chats, 'peek'>;
  /** Left out without a memory. */
  readonly notes: Pick<Notes, 'peek'> | undefined;
  readonly store: ProvenanceStore;
  readonly inPrompts: NotesInPrompts;
}

export async function storeProvenance(parts: StoreProvenanceParts, chatId: string, turnId: string, { pieces, steps }: TurnProvenance): Promise<void> {
  const ids = [...new Set(pieces.flatMap(noteIdsOf))];
  if (ids.length === 0) return parts.store.write(chatId, turnId, { pieces, steps });
  await parts.inPrompts.add(chatId, ids);
  const gone = await goneOf(parts, chatId, ids);
  await parts.store.write(chatId, turnId, { steps, pieces: pieces.map((piece) => ({ ...piece, text: textWithout(piece, gone) })) });
}

export async function copyProvenance({ store, inPrompts }: StoreProvenanceParts, from: string, to: string, turns: ReadonlySet<string>): Promise<void> {
  await store.copy(from, to, turns);
  const provenance = [...(await store.read(to)).values()];
  await inPrompts.add(to, [...new Set(provenance.flatMap(({ pieces }) => pieces.flatMap(noteIdsOf)))]);
}

/** Applies to every chat that contains it. A deleted chat is skipped. */
export async function forgetInPrompts(parts: StoreProvenanceParts, { noteId }: Omit<KeptNote, 'chatId'>): Promise<void> {
  for (const chatId of await parts.inPrompts.chatsOf(noteId)) {
    const gone = await goneOf(parts, chatId, [noteId]).catch(() => undefined);
    if (gone && gone.length > 0) await parts.store.rewrite(chatId, (piece) => textWithout(piece, gone));
  }
}

/** Returns notes that are no longer available to a chat. */
async function goneOf({ chats, notes }: StoreProvenanceParts, chatId: string, ids: readonly string[]): Promise<GoneNote[]> {
  if (!notes) return [];
  const { workspaceRoot } = await chats.peek(chatId);
  const place: NotePlace = { chatId, workspaceRoot };
  const gone: GoneNote[] = [];
  for (const id of ids) {
    const known = (await Promise.all(noteScopes.map((scope) => notes.peek(place, id, scope)))).filter((note) => note !== undefined);
    const forgotten = known.filter(({ deletedAt }) => deletedAt !== undefined);
    const hasOther = forgotten.length < known.length;
    for (const { value } of forgotten) gone.push({ id, value, hasOther });
    if (known.length === 0) gone.push({ id, value: '', hasOther });
  }
  return gone;
}

function textWithout(piece: Piece, gone: readonly GoneNote[]): string {
  const ids = noteIdsOf(piece);
  return gone.filter(({ id }) => ids.includes(id)).reduce((text, note) => withoutNote(text, note), piece.text);
}
