// Exposes notes as undoable state and tracks their changes.
import type { StateContext, Undoable } from 'agent-harness/builtins/turn/checkpoints';
import { stableJson } from '#lib/values';
import type { Note, NoteContent, NotePlace, Notes, NoteScope, RememberNote } from './contract.ts';

const name = 'note';

/** Runs work that changes notes, so that undoing its turn reverts the changes. */
export type TrackNotes = <T>(context: StateContext, keys: readonly string[], work: () => Promise<T>) => Promise<T>;

export function trackNotes(changing: <T>(context: StateContext, of: string, keys: readonly string[], work: () => Promise<T>) => Promise<T>): TrackNotes {
  return (context, keys, work) => changing(context, name, keys, work);
}

export function keyOfNote({ id, scope }: Pick<Note, 'id' | 'scope'>): string {
  return `${scope} ${id}`;
}

/** Creates the undoable state of notes; its keys have the form `scope type:key`. */
export function undoableNotes(notes: Pick<Notes, 'content' | 'edit'>): Undoable {
  const partsOf = (key: string): { readonly scope: NoteScope; readonly id: string } => {
    const space = key.indexOf(' ');
    return { scope: key.slice(0, space) as NoteScope, id: key.slice(space + 1) };
  };
  const contentIn = (text: string | null): NoteContent | null => (text === null ? null : (JSON.parse(text) as NoteContent));
  return {
    name,
    title: 'note',
    label: (key) => `note ${partsOf(key).id}`,
    // Automatic links and confidence are not part of a note's content.
    volatile: ['createdAt', 'updatedAt', 'confidence', 'links', 'source', 'evidence'],
    async read(key, place) {
      const { id, scope } = partsOf(key);
      const content = await notes.content(place, id, scope);
      return content && stableJson(content);
    },
    async restore(key, { from, to }, place) {
      const [done] = await notes.edit([{ place, ...partsOf(key), from: contentIn(from), to: contentIn(to) }]);
      return done?.outcome === 'done';
    },
  };
}

/** Stores a note, and tracks the change if the source of the note is a turn, so that undoing the turn reverts it. */
export function trackedRemember(
  notes: Pick<Notes, 'remember' | 'plan'>,
  track: TrackNotes,
  isTurn: (ref: string) => boolean,
): (place: NotePlace, note: RememberNote) => Promise<Note> {
  return async (place, note) => {
    const { ref } = note.source;
    if (place.chatId === '' || !isTurn(ref)) return notes.remember(place, note);
    const key = keyOfNote(await notes.plan(place, note));
    return track({ chatId: place.chatId, turnId: ref }, [key], () => notes.remember(place, note));
  };
}
