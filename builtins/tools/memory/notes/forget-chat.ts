// Deletes all data derived from a chat permanently: its notes with all their words, pending notes, and data of plugins.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { NotePlace, NoteScope, StoredNote } from '../contract.ts';
import type { NoteStore } from './note-store.ts';
import type { NoteWishes } from './note-wishes.ts';
import { allScopes } from './open-note-files.ts';

export interface ForgetParts {
  readonly store: NoteStore & NoteWishes;
  /** Requests plugins to delete their data. */
  requestDeletion(chat: { readonly chatId: string; readonly turnIds: ReadonlySet<string> }): Promise<void>;
}

/**
 * Deletes the data. Resolves with the number of deleted notes. A repeated call changes nothing.
 * @param isGone whether the chat itself is deleted, with its own notes
 */
export async function forgetFromChat(
  { store, requestDeletion }: ForgetParts,
  place: NotePlace,
  events: AsyncIterable<JournalEvent>,
  { isGone }: { readonly isGone: boolean },
): Promise<number> {
  const { chatId } = place;
  const turnIds = new Set<string>();
  let newest = 0;
  for await (const { id, turnId } of events) {
    newest = Math.max(newest, id);
    if (turnId !== undefined) turnIds.add(turnId);
  }
  // Done first, so that no feature can derive notes from the words again.
  await store.forgetWords(chatId, isGone ? Number.MAX_SAFE_INTEGER : newest);
  const isDerived = ({ evidence = [], source }: StoredNote): boolean =>
    evidence.some((one) => one.chatId === chatId) || (source.kind !== 'user' && source.kind !== 'team' && turnIds.has(source.ref));
  let count = 0;
  const scopes: readonly NoteScope[] = isGone ? allScopes.filter((scope) => scope !== 'chat') : allScopes;
  for (const scope of scopes) count += await store.wipe(place, scope, isDerived);
  await requestDeletion({ chatId, turnIds });
  return count;
}
