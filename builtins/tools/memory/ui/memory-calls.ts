// Calls the HTTP routes of notes, and loads a list across pages.
import type { CallInput, Client, ReplyOf } from 'agent-harness/client';

export type NotePage = ReplyOf<'GET /api/memory'>;
export type Note = NotePage['notes'][number];
export type NoteScope = Note['scope'];
type NoteQuery = NonNullable<CallInput<'GET /api/memory'>['query']>;
/** State of the listed notes: active, pending or deleted. */
export type NoteList = NonNullable<NoteQuery['show']>;

/** Maximum number of notes per reply. */
const mostAtOnce = 500;

/** Loads the first `count` notes with as few requests as the server allows. */
export async function readNotes(client: Client, query: NoteQuery, count: number, signal: AbortSignal): Promise<NotePage> {
  const notes: Note[] = [];
  for (;;) {
    const limit = Math.min(mostAtOnce, count - notes.length);
    const page = await client.call('GET /api/memory', { query: { ...query, limit, offset: notes.length }, signal });
    notes.push(...page.notes);
    if (page.notes.length < limit || notes.length >= count) return { notes, total: page.total };
  }
}
