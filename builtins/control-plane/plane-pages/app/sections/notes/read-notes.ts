// Loads and deletes shared notes of the team.
import { call, type ReplyOf } from '../../base/plane.ts';

export type Note = ReplyOf<'GET /api/team/memory/notes'>['notes'][number];

export interface NoteSet {
  readonly revision: number;
  /** Newest first. */
  readonly notes: readonly Note[];
  /** Whether the set contains more notes than were read. */
  readonly isCut: boolean;
}

/** Maximum number of pages that are read. */
const mostPages = 10;

export async function readNotes(workspace: string, signal: AbortSignal): Promise<NoteSet> {
  const found = new Map<string, Note>();
  let since: number | undefined;
  for (let page = 0; page < mostPages; page++) {
    const reply = await call('GET /api/team/memory/notes', { query: { workspace, ...(since === undefined ? {} : { since, whole: true }) }, signal });
    for (const note of reply.notes) found.set(note.key, note);
    since = reply.revision;
    if (!reply.more) return { revision: since, notes: newestFirst(found), isCut: false };
  }
  return { revision: since ?? 0, notes: newestFirst(found), isCut: true };
}

const newestFirst = (found: ReadonlyMap<string, Note>): Note[] => [...found.values()].toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));

export async function deleteNote(workspace: string, key: string, base: number): Promise<void> {
  // The page acts as a temporary copy of the set that makes a single change.
  const clientId = `page-${crypto.randomUUID()}`;
  await call('PUT /api/team/memory/notes', {
    query: { workspace },
    body: { clientId, mutationId: 1, base, upserts: [], tombstones: [{ key, deletedAt: new Date().toISOString() }] },
  });
}
