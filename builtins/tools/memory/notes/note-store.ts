// Implements the service `notes` and the further operations of the routes, with all rules for storing, replacing and finding notes.
import type { KernelError } from 'agent-harness/kernel';
import { textStart } from '#lib/text';
import type { Note, NoteContent, NoteHit, NotePlace, Notes, NoteScope, RecallOptions, RememberNote, StoredNote } from '../contract.ts';
import type { Embeddings } from '../search/embeddings.ts';
import { createNoteChanges, timeAfter, type NoteChanges } from './change-note.ts';
import { createNoteCopies } from './note-copies.ts';
import { createNoteEdits, rememberedAs, type NoteWiping, type PlannedNote } from './note-edits.ts';
import { listNotes, type NoteList, type NoteListQuery } from './list-notes.ts';
import { UnsafeFile } from '../note-disk.ts';
import { isActive, maxNotes, splitId, whyUnfit, type NoteChange, type NoteErrorReason, type NoteKey } from './note-grammar.ts';
import type { NoteSeals } from './note-seals.ts';
import { choosePendingNoteId } from './pending-note-id.ts';
import { createNoteWriter } from './write-notes.ts';
import { allScopes, type NoteFiles, type OpenNotes } from './open-note-files.ts';
import { fuse, rankByWords } from '../search/ranking.ts';

export interface StoreParts {
  readonly noteFiles: NoteFiles;
  readonly seals: NoteSeals;
  readonly embeddings: Embeddings;
  /** Live values of the settings. */
  readonly config: { readonly isGraphOn: boolean };
  error(reason: NoteErrorReason, details: Readonly<Record<string, unknown>>): KernelError;
  /** Runs the hook `recall.query`. */
  widen(query: string, place: NotePlace & { readonly isExploratory: boolean }): Promise<readonly string[]>;
  announce(place: NotePlace, note: Note, change: NoteChange): void;
}

export interface NoteStore extends Omit<Notes, 'unwanted' | 'unwantedFor' | 'forgottenUpTo'>, NoteWiping, NoteChanges {
  list(place: NotePlace, query: NoteListQuery): Promise<NoteList>;
}

const defaultLimit = 8;
const maxLinks = 5;
/** Number of UTF-16 code units of a note that are used to find related notes. */
const linkedText = 2_000;
/** Number of the note's rarest words that are used to find related notes; limited, because the search runs for each new note. */
const linkTerms = 10;

export function createNoteStore({ noteFiles, seals, embeddings, config, error, widen, announce }: StoreParts): NoteStore {
  const isOurs = ({ id, scope }: NoteKey, note: StoredNote): boolean => scope !== 'workspace' || seals.isOurs(id, note);

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (fault) {
      throw fault instanceof UnsafeFile ? error('UNSAFE_FILE', { why: fault.message }) : fault;
    }
  }

  const writer = createNoteWriter({ noteFiles, seals, announce, guarded });
  const write = writer.one;

  /** Runs work on all files; if a file is unusable, the notes of the others are still found. */
  async function fromAll<T>(place: NotePlace, scopes: readonly NoteScope[] | undefined, use: (open: OpenNotes) => Promise<T>): Promise<T[]> {
    const opened = await noteFiles.at(place, scopes);
    const used = opened.map((open) =>
      use(open).then(
        (one) => [one],
        (fault: unknown) => {
          if (fault instanceof UnsafeFile) return [];
          throw fault;
        },
      ),
    );
    return (await Promise.all(used)).flat();
  }

  const openAll = (place: NotePlace, scopes?: readonly NoteScope[]): Promise<OpenNotes[]> =>
    fromAll(place, scopes, async (open) => {
      await open.file.refresh();
      return open;
    });

  /** Returns the location of a new note, and the current value there. @param find returns the value that will be there at that time */
  async function plannedAs(
    place: NotePlace,
    note: RememberNote,
    find = (key: NoteKey): Promise<NoteContent | undefined> => current(place, key),
  ): Promise<PlannedNote> {
    const why = whyUnfit(note);
    if (why !== undefined) throw error('INVALID_NOTE', { why });
    const { type, key, value, scope = 'workspace', waits } = note;
    const id = `${type}:${key}`;
    const links = config.isGraphOn ? await neighbours(place, { id, scope }, `${key} ${value}`) : [];
    const isPending = note.source.kind === 'web' || waits !== undefined;
    const target = isPending ? await choosePendingNoteId(note, (one) => find({ id: one, scope })) : id;
    return {
      target,
      scope,
      isPending,
      next: (known) => rememberedAs(note, known, { at: timeAfter(known), links, isPending, ...(target === id ? {} : { replaces: id }) }),
    };
  }

  async function remember(place: NotePlace, note: RememberNote): Promise<Note> {
    const { target, scope, isPending, next } = await plannedAs(place, note);
    const made = await write(place, { id: target, scope }, isPending ? 'pending' : 'remembered', (known, open) => {
      if (!known) checkRoom(open);
      return { ...next(known), accessCount: known === undefined ? 0 : open.file.accessCount(target), revision: (known?.revision ?? 0) + 1 };
    });
    if (!made) throw error('NOT_FOUND', { id: target });
    return made;
  }

  function checkRoom(open: OpenNotes): void {
    if (roomIn(open) <= 0) throw error('FULL', { limit: maxNotes });
  }

  async function current(place: NotePlace, { id, scope }: NoteKey): Promise<StoredNote | undefined> {
    const open = await noteFiles.one(place, scope);
    await guarded(() => open.file.refresh());
    return open.file.notes.get(id);
  }

  async function neighbours(place: NotePlace, { id, scope }: NoteKey, text: string): Promise<string[]> {
    const open = await noteFiles.one(place, scope);
    const index = await guarded(() => open.index());
    const others = { index, find: (other: string) => (other === id ? undefined : { item: other, confidence: 1 }) };
    return rankByWords(textStart(text, linkedText), [others], maxLinks, Date.now(), linkTerms).map(({ item }) => item);
  }

  async function recall(place: NotePlace, query: string, options: RecallOptions = {}): Promise<NoteHit[]> {
    const { limit = defaultLimit, withoutTypes = [], isCounted = true, isExploratory = false } = options;
    const queries = options.queries ?? (await widen(query, { ...place, isExploratory }));
    const sources = await fromAll(place, options.scopes, async (open) => {
      const { index, notes, read } = await open.lookUp(queries);
      return {
        ...{ index, notes },
        find(id: string) {
          const note = read(id);
          const isWanted = isActive(note) && !withoutTypes.includes(splitId(id)?.type ?? '');
          return isWanted ? { item: { open, id, note }, confidence: note.confidence } : undefined;
        },
      };
    });
    const wide = Math.max(limit, 20);
    const orders = queries.map((one) => rankByWords(one, sources, queries.length > 1 || embeddings.isOn() ? wide : limit, Date.now()));
    const near = embeddings.isOn() ? await embeddings.order(queries[0] ?? query, sources, { limit: wide, waitMs: options.waitMs ?? 2_000 }) : undefined;
    const byWords = orders.map((order) => order.map(({ item }) => item));
    const fused = orders.length === 1 && !near ? (orders[0] ?? []) : fuse(near ? [...byWords, near] : byWords, ({ open, id }) => `${open.scope} ${id}`);
    return fused.slice(0, limit).map(({ item: { open, id, note }, score }) => {
      if (isCounted) countUse(open, id, note);
      return { note: open.show(id, note), score };
    });
  }

  function countUse(open: OpenNotes, id: string, { accessCount }: StoredNote): void {
    open.file.count(id, accessCount);
    noteFiles.touched(open);
  }

  async function find(place: NotePlace, key: string): Promise<Note | undefined> {
    for (const open of await openAll(place)) {
      const id = idFor(open, key);
      const note = id === undefined ? undefined : open.file.notes.get(id);
      if (id === undefined || !note) continue;
      countUse(open, id, note);
      return open.show(id, note);
    }
    return undefined;
  }

  const changes = createNoteChanges({ write, isOurs, current, error });

  return {
    ...createNoteEdits({ writer, isOurs, current, plannedAs, openOne: async (place, scope) => (await openAll(place, [scope]))[0] }),
    ...createNoteCopies({ noteFiles, error, writer, guarded, isOurs, roomIn }),
    remember,
    recall,
    find,
    async forget(place, key, scope) {
      for (const open of await openAll(place, scope === undefined ? allScopes : [scope])) {
        const id = idFor(open, key) ?? (splitId(key) && open.file.notes.get(key)?.deletedAt === undefined && open.file.notes.has(key) ? key : undefined);
        if (id !== undefined) return changes.forgetOne(place, { id, scope: open.scope });
      }
      return undefined;
    },
    ...changes,
    forgotten: async (place, limit) => (await listNotes(await openAll(place), { limit, show: 'deleted' })).notes,
    newest: async (place, scopes, limit) => (await listNotes(await openAll(place, scopes), { limit })).notes,
    list: async (place, query) => listNotes(await openAll(place, query.scope === undefined ? allScopes : [query.scope]), query),
  };
}

/** Resolves a key in a file: an id, or the active note of any type with that key. */
function idFor({ file }: OpenNotes, key: string): string | undefined {
  const counts = (id: string): boolean => isActive(file.notes.get(id));
  if (splitId(key) && counts(key)) return key;
  if (counts(`fact:${key}`)) return `fact:${key}`;
  for (const id of file.notes.keys()) if (id.endsWith(`:${key}`) && id.indexOf(':') === id.length - key.length - 1 && counts(id)) return id;
  return undefined;
}

/** Returns a lower bound of the number of notes that the file still accepts. */
function roomIn({ file }: OpenNotes): number {
  if (file.notes.size < maxNotes) return maxNotes - file.notes.size;
  let count = 0;
  for (const note of file.notes.values()) if (note.deletedAt === undefined) count++;
  return maxNotes - count;
}
