// What the routes of notes say, and a list of them in one piece.
import type { CallInput, Client, ReplyOf } from 'agent-harness/client';

export type NotePage = ReplyOf<'GET /api/memory'>;
export type Note = NotePage['notes'][number];
export type NoteScope = Note['scope'];
type NoteQuery = NonNullable<CallInput<'GET /api/memory'>['query']>;
/** Which list: notes that count, those that wait for a person, or deleted ones. */
export type NoteList = NonNullable<NoteQuery['show']>;

/** The most that one answer holds. */
const mostAtOnce = 500;

/** The first `count` notes, asked for in as few pieces as the server allows. */
export async function readNotes(client: Client, query: NoteQuery, count: number, signal: AbortSignal): Promise<NotePage> {
  const notes: Note[] = [];
  for (;;) {
    const limit = Math.min(mostAtOnce, count - notes.length);
    const page = await client.call('GET /api/memory', { query: { ...query, limit, offset: notes.length }, signal });
    notes.push(...page.notes);
    if (page.notes.length < limit || notes.length >= count) return { notes, total: page.total };
  }
}
