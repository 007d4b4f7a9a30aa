// Writes notes to a file: computes each change from the current note, and retries after a change by another process.
import type { Note, NotePlace, NoteScope, StoredNote } from '../contract.ts';
import type { NoteChange, NoteKey } from './note-grammar.ts';
import type { NoteSeals } from './note-seals.ts';
import type { NoteFiles, OpenNotes } from './open-note-files.ts';

export interface Written {
  readonly note: StoredNote;
  readonly change: NoteChange;
  /** Whether the note is external content, which is not sealed. */
  readonly isForeign?: boolean;
}

export interface NoteWriter {
  /** Changes one note; resolves with `undefined` if there is nothing to change. */
  one(
    place: NotePlace,
    key: NoteKey,
    change: NoteChange,
    decide: (before: StoredNote | undefined, open: OpenNotes) => StoredNote | undefined,
  ): Promise<Note | undefined>;
  /** Changes several notes of one file (each id occurs once) and flushes them together. Calls `decide` again for notes that changed in the meantime. */
  many(
    place: NotePlace,
    scope: NoteScope,
    ids: readonly string[],
    decide: (id: string, before: StoredNote | undefined, open: OpenNotes) => Written | undefined,
  ): Promise<Note[]>;
}

export interface NoteWriterParts {
  readonly noteFiles: NoteFiles;
  readonly seals: NoteSeals;
  announce(place: NotePlace, note: Note, change: NoteChange): void;
  guarded<T>(work: () => Promise<T>): Promise<T>;
}

const maxAttempts = 100;

export function createNoteWriter({ noteFiles, seals, announce, guarded }: NoteWriterParts): NoteWriter {
  const sealed = (scope: NoteScope, id: string, { note, isForeign }: Written): StoredNote => {
    if (scope !== 'workspace' || note.isPending) return note;
    const { seal: _, ...open } = note;
    return isForeign ? open : { ...note, seal: seals.seal(id, note) };
  };

  const many: NoteWriter['many'] = async (place, scope, ids, decide) => {
    const open = await noteFiles.one(place, scope);
    if (scope === 'workspace') await seals.make();
    const shown: Note[] = [];
    let left = ids;
    for (let attempts = 1; left.length > 0; attempts++) {
      const changes = new Map<string, NoteChange>();
      const made = await guarded(() =>
        open.file.change(() =>
          left.flatMap((id) => {
            const written = decide(id, open.file.notes.get(id), open);
            if (!written) return [];
            changes.set(id, written.change);
            return [{ id, note: sealed(scope, id, written) }];
          }),
        ),
      );
      if (made.length > 0) noteFiles.touched(open);
      for (const { id, note, isKept } of made) {
        if (!isKept) continue;
        const one = open.show(id, note);
        announce(place, one, changes.get(id) ?? 'remembered');
        shown.push(one);
      }
      left = made.filter(({ isKept }) => !isKept).map(({ id }) => id);
      if (left.length > 0 && attempts === maxAttempts) throw new Error(`'${open.file.path}' changes too fast to store ${left[0]}`);
    }
    return shown;
  };

  return {
    many,
    async one(place, { id, scope }, change, decide) {
      const [made] = await many(place, scope, [id], (_, before, open) => {
        const note = decide(before, open);
        return note && { note, change };
      });
      return made;
    },
  };
}
