// Synchronizes copies of a set of notes: reports changes since a cursor, and merges the changes of another copy.
import { isAbsolute } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import type { IncomingNote, MergedNote, NotePlace, Notes, NoteSet, StoredNote } from '../contract.ts';
import type { NoteFiles, OpenNotes } from './open-note-files.ts';
import { maxNotes, type NoteErrorReason, type NoteKey } from './note-grammar.ts';
import { mergeNote, readCursor, travelling, whyUnmergeable, writeCursor } from './travelling-notes.ts';
import type { NoteWriter } from './write-notes.ts';

export interface NoteCopiesParts {
  readonly noteFiles: NoteFiles;
  error(reason: NoteErrorReason, details: Readonly<Record<string, unknown>>): KernelError;
  readonly writer: NoteWriter;
  guarded<T>(work: () => Promise<T>): Promise<T>;
  isOurs(key: NoteKey, note: StoredNote): boolean;
  /** Returns a lower bound of the number of notes that the file still accepts. */
  roomIn(open: OpenNotes): number;
}

/** Maximum number of notes, and of UTF-16 code units, that are flushed together. */
const partNotes = 500;
const partSize = 1_000_000;

export function createNoteCopies({ noteFiles, error, writer, guarded, isOurs, roomIn }: NoteCopiesParts): Pick<Notes, 'changes' | 'merge'> {
  async function openNow(set: NoteSet): Promise<OpenNotes> {
    const isSet = set.scope === 'global' || (set.scope === 'workspace' && isAbsolute(set.workspaceRoot));
    if (!isSet) throw error('INVALID_NOTE', { why: 'only global notes and notes of a workspace with an absolute path can be synchronized' });
    const open = await noteFiles.one(placeOf(set), set.scope);
    await guarded(() => open.file.refresh());
    return open;
  }

  /** Merges notes. Contract: each id occurs once. */
  async function mergeSome(set: NoteSet, notes: ReadonlyMap<string, IncomingNote>, from: number): Promise<Map<string, MergedNote>> {
    const answers = new Map<string, MergedNote>();
    let room = Infinity;
    await writer.many(placeOf(set), set.scope, [...notes.keys()], (id, known, open) => {
      const note = notes.get(id) as IncomingNote;
      // Pending notes and notes by the folder's creator do not belong to the user.
      const isCounting = known !== undefined && !known.isPending && isOurs({ id, scope: set.scope }, known);
      const { next, ...said } = mergeNote(note, isCounting ? known : undefined, known, from);
      const isNew = next !== undefined && next.deletedAt === undefined && !known;
      if (isNew) room = Math.min(room, roomIn(open)) - 1;
      answers.set(id, isNew && room < 0 ? { id, outcome: 'refused', why: `the limit of ${maxNotes} notes is reached` } : said);
      if (!next || (isNew && room < 0)) return undefined;
      return { note: next, change: next.deletedAt === undefined ? 'remembered' : 'forgotten', ...(note.isForeign ? { isForeign: true } : {}) };
    });
    return answers;
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
      for (const part of partsOf(notes)) {
        const fit = part.filter((note) => whyUnmergeable(note) === undefined);
        const answers = await mergeSome(set, new Map(fit.map((note) => [note.id, note])), from);
        for (const note of part)
          merged.push(answers.get(note.id) ?? { id: note.id, outcome: 'refused', why: whyUnmergeable(note) ?? 'it is not a valid note' });
      }
      return merged;
    },
  };
}

/** Splits the notes into parts that are flushed together; a part contains no id twice. */
function partsOf(notes: readonly IncomingNote[]): IncomingNote[][] {
  const parts: IncomingNote[][] = [];
  let ids = new Set<string>();
  let size = 0;
  for (const note of notes) {
    const isNext = parts.length === 0 || ids.has(note.id) || ids.size >= partNotes || size > partSize;
    if (isNext) {
      [ids, size] = [new Set(), 0];
      parts.push([]);
    }
    ids.add(note.id);
    size += note.value.length;
    parts.at(-1)?.push(note);
  }
  return parts;
}

/** Returns the place of a set, which belongs to no chat. */
function placeOf(set: NoteSet): NotePlace {
  return { chatId: '', workspaceRoot: set.scope === 'workspace' ? set.workspaceRoot : '' };
}
