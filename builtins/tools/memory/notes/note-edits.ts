// Applies note edits with expected values, so that they never overwrite other changes when they are applied late, repeated after a crash, or applied as an
// undo.
import { nextTime } from '#lib/copies';
import { stableJson } from '#lib/values';
import type { EditedNote, Note, NoteContent, NoteEdit, NotePlace, Notes, NoteScope, RememberNote, StoredNote } from '../contract.ts';
import type { NoteChange, NoteKey } from './note-grammar.ts';
import type { OpenNotes } from './open-note-files.ts';
import type { NoteWriter } from './write-notes.ts';

export interface PlannedNote {
  /** Id of the note; a pending note has a different id. */
  readonly target: string;
  readonly scope: NoteScope;
  readonly isPending: boolean;
  next(known: StoredNote | undefined): NoteContent;
}

export interface NoteEditParts {
  readonly writer: NoteWriter;
  isOurs(key: NoteKey, note: StoredNote): boolean;
  current(place: NotePlace, key: NoteKey): Promise<StoredNote | undefined>;
  plannedAs(place: NotePlace, note: RememberNote, find?: (key: NoteKey) => Promise<NoteContent | undefined>): Promise<PlannedNote>;
  /** Returns the notes with the changes on disk; `undefined` if the file is unusable. */
  openOne(place: NotePlace, scope: NoteScope): Promise<OpenNotes | undefined>;
}

export interface NoteWiping {
  /** Deletes notes with their words; only tombstones remain in the file. Resolves with the number of deleted notes. */
  wipe(place: NotePlace, scope: NoteScope, isMeant: (note: StoredNote) => boolean): Promise<number>;
}

export function createNoteEdits({
  writer,
  isOurs,
  current,
  plannedAs,
  openOne,
}: NoteEditParts): Pick<Notes, 'peek' | 'content' | 'plan' | 'edit' | 'countDerived'> & NoteWiping {
  const contentOf = (key: NoteKey, note: StoredNote | undefined): NoteContent | null => {
    // A tombstone without text represents no note.
    if (!note || (note.deletedAt !== undefined && note.value === '')) return null;
    const { accessCount: _, revision: __, serial: ___, seal: ____, touchedAt: _____, ...content } = note;
    return isOurs(key, note) || note.isPending ? content : { ...content, isForeign: true };
  };

  async function editSome(place: NotePlace, scope: NoteScope, edits: readonly NoteEdit[]): Promise<EditedNote[]> {
    const byId = new Map(edits.map((edit) => [edit.id, edit]));
    const changed = new Set<string>();
    await writer.many(place, scope, [...byId.keys()], (id, before, open) => {
      const { from, to } = byId.get(id) as NoteEdit;
      const is = stableJson(contentOf({ id, scope }, before));
      changed.delete(id);
      if (is === stableJson(to)) return undefined;
      if (is !== stableJson(from)) return void changed.add(id);
      const note = written(to, before, before === undefined ? 0 : open.file.accessCount(id));
      return note && { note, change: changeOf(from, to), ...(to?.isForeign ? { isForeign: true } : {}) };
    });
    return edits.map(({ id }) => ({ id, scope, outcome: changed.has(id) ? 'changed' : 'done' }));
  }

  return {
    async peek(place, id, scope): Promise<Note | undefined> {
      const open = await openOne(place, scope);
      const note = open?.file.notes.get(id);
      return open && note && open.show(id, note);
    },
    content: async (place, id, scope) => contentOf({ id, scope }, await current(place, { id, scope })),
    async plan(place, note, earlier = []) {
      const planned = ({ id, scope }: NoteKey): NoteEdit | undefined =>
        earlier.findLast((edit) => edit.id === id && edit.scope === scope && fileOf(edit) === fileOf({ place, scope }));
      const { target, scope, next } = await plannedAs(place, note, async (key) => planned(key)?.to ?? (await current(place, key)));
      const known = await current(place, { id: target, scope });
      return { place, id: target, scope, from: contentOf({ id: target, scope }, known), to: next(known) };
    },
    async edit(edits) {
      const files = new Map<string, NoteEdit[]>();
      for (const edit of edits) {
        const file = fileOf(edit);
        files.set(file, [...(files.get(file) ?? []), edit]);
      }
      const done: EditedNote[] = [];
      for (const some of files.values()) {
        const [first] = some;
        if (first) done.push(...(await editSome(first.place, first.scope, some)));
      }
      return done;
    },
    async wipe(place, scope, isMeant) {
      const open = await openOne(place, scope);
      const ids = [...(open?.file.notes ?? [])].flatMap(([id, note]) => (isMeant(note) && contentOf({ id, scope }, note) ? [id] : []));
      if (!open || ids.length === 0) return 0;
      await writer.many(place, scope, ids, (_, before) => {
        const note = before && isMeant(before) ? written(null, before, 0) : undefined;
        return note && { note, change: 'forgotten' };
      });
      // Until the journal is merged into the list, earlier lines still contain the words.
      await open.file.rest({ isQuiet: true, isForced: true });
      return ids.length;
    },
    async countDerived(place, scope) {
      const open = await openOne(place, scope);
      let count = 0;
      for (const note of open?.file.notes.values() ?? []) if (note.evidence && note.deletedAt === undefined) count++;
      return count;
    },
  };
}

function fileOf({ place: { chatId, workspaceRoot }, scope }: Pick<NoteEdit, 'place' | 'scope'>): string {
  return `${scope} ${{ chat: chatId, workspace: workspaceRoot, global: '' }[scope]}`;
}

/** Returns the stored form of a note to remember. */
export function rememberedAs(
  { value, source, confidence, evidence = [], waits }: RememberNote,
  known: StoredNote | undefined,
  { at, links, isPending, replaces }: { readonly at: string; readonly links: readonly string[]; readonly isPending: boolean; readonly replaces?: string },
): NoteContent {
  return {
    value,
    createdAt: known?.createdAt ?? at,
    updatedAt: at,
    confidence: confidence ?? (isPending ? 0.5 : (known?.confidence ?? 1)),
    links,
    source,
    ...(isPending ? { isPending } : {}),
    ...(replaces === undefined ? {} : { replaces }),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(waits === undefined ? {} : { waits }),
    ...(known?.isPinned ? { isPinned: true } : {}),
  };
}

function written(to: NoteContent | null, before: StoredNote | undefined, accessCount: number): StoredNote | undefined {
  const revision = (before?.revision ?? 0) + 1;
  const at = nextTime(Date.now(), before?.updatedAt);
  if (to) {
    const { isForeign: _, ...content } = to;
    const isFormer = before !== undefined && (to.deletedAt ?? to.updatedAt) <= (before.touchedAt ?? before.deletedAt ?? before.updatedAt);
    return { ...content, accessCount, revision, ...(isFormer ? { touchedAt: at } : {}) };
  }
  if (!before) return undefined;
  const { source, createdAt } = before;
  return { value: '', createdAt, updatedAt: at, deletedAt: at, accessCount: 0, confidence: 0, links: [], source: { kind: source.kind, ref: '' }, revision };
}

function changeOf(from: NoteContent | null, to: NoteContent | null): NoteChange {
  if (!to || to.deletedAt !== undefined) return 'forgotten';
  if (to.isPending) return 'pending';
  return from?.deletedAt === undefined ? 'remembered' : 'restored';
}
