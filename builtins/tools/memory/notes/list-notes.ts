// Lists notes for users: active, pending or deleted ones.
import type { Note, NoteScope, StoredNote } from '../contract.ts';
import { restoreMs } from './note-grammar.ts';
import type { OpenNotes } from './open-note-files.ts';
import { rankByWords } from '../search/ranking.ts';

export interface NoteListQuery {
  readonly q?: string;
  readonly scope?: NoteScope;
  /** State of the notes; default: `active`. */
  readonly show?: 'active' | 'pending' | 'deleted';
  /** Maximum number of notes; default: 50. */
  readonly limit?: number;
  readonly offset?: number;
}

export interface NoteList {
  readonly notes: Note[];
  /** Number of all matches, including those on other pages. */
  readonly total: number;
}

interface Row {
  readonly open: OpenNotes;
  readonly id: string;
  readonly note: StoredNote;
}

/** Returns the notes, newest first. With a query, returns them by relevance, followed by notes that only contain its words. */
export async function listNotes(opened: readonly OpenNotes[], { q = '', show = 'active', limit = 50, offset = 0 }: NoteListQuery): Promise<NoteList> {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rows = opened.flatMap((open) =>
    [...open.file.notes].flatMap(([id, note]) => (fits(note, show) && contains(id, note, words) ? [{ open, id, note }] : [])),
  );
  rows.sort((one, other) => (one.note.updatedAt < other.note.updatedAt ? 1 : one.note.updatedAt > other.note.updatedAt ? -1 : 0));
  const ordered = words.length > 0 && show === 'active' ? await bestFirst(opened, q, rows) : rows;
  return { notes: ordered.slice(offset, offset + limit).map(({ open, id, note }) => open.show(id, note)), total: ordered.length };
}

function fits(note: StoredNote, show: Exclude<NoteListQuery['show'], undefined>): boolean {
  if (note.deletedAt !== undefined) return show === 'deleted' && note.value !== '' && Date.now() - Date.parse(note.deletedAt) <= restoreMs;
  return show === (note.isPending === true ? 'pending' : 'active');
}

function contains(id: string, note: StoredNote, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${id}\n${note.value}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const rankedRows = 500;

async function bestFirst(opened: readonly OpenNotes[], q: string, rows: readonly Row[]): Promise<Row[]> {
  const sources = await Promise.all(
    opened.map(async (open) => ({
      index: await open.index(),
      find(id: string) {
        const note = open.file.notes.get(id);
        return note && fits(note, 'active') ? { item: { open, id, note }, confidence: note.confidence } : undefined;
      },
    })),
  );
  const best = rankByWords(q, sources, rankedRows, Date.now()).map(({ item }) => item);
  const known = new Set(best.map(({ open, id }) => `${open.scope} ${id}`));
  return [...best, ...rows.filter(({ open, id }) => !known.has(`${open.scope} ${id}`))];
}
