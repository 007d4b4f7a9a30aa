// Holds the notes of one file in memory: numbers them, applies journal lines by revision, counts uses, and lists the entries of a merged file.
import { inSlices } from '#lib/event-loop';
import { recordIn } from '#lib/values';
import type { StoredNote } from '../contract.ts';
import { agedNote, differs, readNote } from './note-grammar.ts';

export interface NoteWrite {
  readonly id: string;
  readonly note: StoredNote;
}

/** Changes that were just written, by id, until it is known which of two with the same revision came first. */
export type WatchedWrites = ReadonlyMap<string, NoteWrite & { isFirst?: boolean }>;

interface NumberedNotes {
  readonly notes: Map<string, StoredNote>;
  /** Serial number of the newest change. */
  serial: number;
}

export class NoteTable {
  #current: NumberedNotes = { notes: new Map(), serial: 0 };
  /** Entries that are not notes, which are preserved. */
  #foreign: [string, unknown][] = [];
  readonly #counts = new Map<string, number>();
  readonly #uncounted = new Set<string>();
  readonly #changed: (id: string, note: StoredNote | undefined) => void;

  /** @param changed called after a note was added, changed or deleted */
  constructor(changed: (id: string, note: StoredNote | undefined) => void) {
    this.#changed = changed;
  }

  get notes(): ReadonlyMap<string, StoredNote> {
    return this.#current.notes;
  }

  get serial(): number {
    return this.#current.serial;
  }

  accessCount(id: string): number {
    return Math.max(this.#counts.get(id) ?? 0, this.notes.get(id)?.accessCount ?? 0);
  }

  /** Counts a use in addition to those in the note. */
  count(id: string, known: number): void {
    this.#counts.set(id, Math.max(known, this.accessCount(id)) + 1);
    this.#uncounted.add(id);
  }

  /** Returns the counts of the uses since the last call. */
  takeCounts(): [string, number][] {
    const counts = [...this.#uncounted].filter((id) => this.notes.has(id)).map((id): [string, number] => [id, this.#counts.get(id) ?? 0]);
    this.#uncounted.clear();
    return counts;
  }

  /** Parses journal lines: yields their notes and adds their counts. */
  *read(lines: readonly string[]): Generator<[string, StoredNote]> {
    for (const line of lines) {
      const { id, note: written, counts } = recordIn(line);
      const note = typeof id === 'string' ? readNote(id, written) : undefined;
      if (note) yield [id as string, note];
      for (const [read, count] of Object.entries(counts ?? {})) {
        if (Number.isSafeInteger(count)) this.#counts.set(read, Math.max(this.#counts.get(read) ?? 0, count as number));
      }
    }
  }

  /** Applies new journal lines. */
  add(lines: readonly string[], watched?: WatchedWrites): void {
    for (const [id, note] of this.read(lines)) {
      const applied = apply(this.#current, id, note, watched);
      if (applied) this.#changed(id, applied);
    }
  }

  /** Replaces all notes by the entries of the list and the journal lines that follow it. */
  async load(entries: readonly [string, unknown][], lines: readonly string[], pause: () => Promise<void>, watched?: WatchedWrites): Promise<void> {
    const next: NumberedNotes = { notes: new Map(), serial: 0 };
    const foreign: [string, unknown][] = [];
    const unnumbered: string[] = [];
    await inSlices(
      entries,
      ([id, entry]) => {
        const note = readNote(id, entry);
        if (!note) return void foreign.push([id, entry]);
        next.notes.set(id, note);
        next.serial = Math.max(next.serial, note.serial ?? 0);
        if (note.serial === undefined) unnumbered.push(id);
      },
      pause,
    );
    for (const id of unnumbered) next.notes.set(id, numbered(next, next.notes.get(id) as StoredNote));
    for (const [id, note] of this.read(lines)) apply(next, id, note, watched);
    const { notes: before } = this;
    this.#current = next;
    this.#foreign = foreign;
    for (const id of before.keys()) if (!next.notes.has(id)) this.#changed(id, undefined);
    for (const [id, note] of next.notes) if (differs(before.get(id), note)) this.#changed(id, note);
  }

  /** Returns the entries of the merged file at `now`, in milliseconds since 1970. */
  entries(now: number): [string, unknown][] {
    const entries: [string, unknown][] = [...this.#foreign];
    for (const [id, note] of this.notes) {
      // The newest change stays; otherwise, the next change would get its number.
      const kept = agedNote(note, now) ?? (note.serial === this.serial ? { ...note, value: '', links: [] } : undefined);
      if (kept) entries.push([id, this.accessCount(id) === kept.accessCount ? kept : { ...kept, accessCount: this.accessCount(id) }]);
    }
    return entries;
  }
}

/** Applies the first line with a revision; the writer of a second line from the same state is notified. Returns the note if it was applied. */
function apply(into: NumberedNotes, id: string, note: StoredNote, watched: WatchedWrites | undefined): StoredNote | undefined {
  const own = watched?.get(id);
  if (own?.note.revision === note.revision) own.isFirst ??= own.note.updatedAt === note.updatedAt && own.note.value === note.value;
  const known = into.notes.get(id);
  if (known && known.revision >= note.revision) return undefined;
  const next = numbered(into, note);
  into.notes.set(id, next);
  return next;
}

/** Numbers a note by the position of its line, which is the same for every process. */
function numbered(state: NumberedNotes, note: StoredNote): StoredNote {
  state.serial = Math.max(state.serial + 1, note.serial ?? 0);
  return { ...note, serial: state.serial };
}
