// What keeps copies of a set of notes alike: telling what changed since, and taking what another copy says.
import { isAbsolute } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import type { MergedNote, NotePlace, Notes, NoteSet, StoredNote, TravellingNote } from '../contract.ts';
import type { NoteFiles, OpenNotes } from './open-note-files.ts';
import type { NoteChange, NoteErrorReason, NoteKey } from './note-grammar.ts';
import { mergeNote, readCursor, travelling, whyUnmergeable, writeCursor } from './travelling-notes.ts';

export interface NoteCopiesParts {
  readonly noteFiles: NoteFiles;
  error(reason: NoteErrorReason, details: Readonly<Record<string, unknown>>): KernelError;
  /** Writes what `decide` makes of the note as it is. */
  write(
    place: NotePlace,
    key: NoteKey,
    change: NoteChange,
    decide: (before: StoredNote | undefined, open: OpenNotes) => StoredNote | undefined,
  ): Promise<unknown>;
  guarded<T>(work: () => Promise<T>): Promise<T>;
  isOurs(key: NoteKey, note: StoredNote): boolean;
  /** Throws where the file takes no further note. */
  checkRoom(open: OpenNotes): void;
}

export function createNoteCopies({ noteFiles, error, write, guarded, isOurs, checkRoom }: NoteCopiesParts): Pick<Notes, 'changes' | 'merge'> {
  async function openNow(set: NoteSet): Promise<OpenNotes> {
    const isSet = set.scope === 'global' || (set.scope === 'workspace' && isAbsolute(set.workspaceRoot));
    if (!isSet) throw error('INVALID_NOTE', { why: 'only global notes, and those of a workspace by its absolute path, have copies' });
    const open = await noteFiles.one(placeOf(set), set.scope);
    await guarded(() => open.file.refresh());
    return open;
  }

  async function mergeOne(set: NoteSet, note: TravellingNote, from: number): Promise<MergedNote> {
    const key = { id: note.id, scope: set.scope };
    let answer: MergedNote = { id: note.id, outcome: 'same' };
    await write(placeOf(set), key, note.deletedAt === undefined ? 'remembered' : 'forgotten', (known, open) => {
      // What waits here, or came with the folder, is not this person's.
      const before = known && !known.isPending && isOurs(key, known) ? known : undefined;
      const { next, ...said } = mergeNote(note, before, known, from);
      answer = said;
      if (next && next.deletedAt === undefined && !known) checkRoom(open);
      return next;
    });
    return answer;
  }

  return {
    async changes(set, since) {
      const { serial, notes } = (await openNow(set)).file;
      const from = readCursor(since, serial, Date.now());
      const changed = [...notes].filter(([id, note]) => (note.serial ?? 0) > (from ?? 0) && !note.isPending && isOurs({ id, scope: set.scope }, note));
      return {
        cursor: writeCursor(serial, Date.now()),
        isReset: from === undefined,
        notes: changed.sort(([, one], [, other]) => (one.serial ?? 0) - (other.serial ?? 0)).map(([id, note]) => travelling(id, note)),
      };
    },
    async merge(set, notes, since) {
      const from = readCursor(since, (await openNow(set)).file.serial, Date.now()) ?? 0;
      const merged: MergedNote[] = [];
      for (const note of notes) {
        const why = whyUnmergeable(note);
        merged.push(why === undefined ? await mergeOne(set, note, from) : { id: note.id, outcome: 'refused', why });
      }
      return merged;
    },
  };
}

/** A set belongs to no chat. */
function placeOf(set: NoteSet): NotePlace {
  return { chatId: '', workspaceRoot: set.scope === 'workspace' ? set.workspaceRoot : '' };
}
