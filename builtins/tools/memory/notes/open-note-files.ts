// Manages the open note files with their indexes: maps scopes to files, opens files on first use, and closes the least recently used ones.
import { join } from 'node:path';
import type { Disposable } from 'agent-harness/kernel';
import { createUnderWay } from '#lib/async';
import { inSlices } from '#lib/event-loop';
import type { Note, NotePlace, NoteScope, StoredNote } from '../contract.ts';
import type { NoteSeals } from './note-seals.ts';
import { copyNotes } from '../note-disk.ts';
import { openNoteFile, type NoteFile } from './note-file.ts';
import { splitId } from './note-grammar.ts';
import { createNoteIndex, type NoteIndex } from '../search/note-index.ts';
import type { FoundNotes } from './note-scan.ts';

export interface NoteFilesParts {
  readonly home: string;
  chatFolder(chatId: string): string;
  lock(path: string): Promise<Disposable>;
  moveAside(path: string): Promise<void>;
  warn(message: string): void;
  readonly seals: NoteSeals;
}

export interface OpenNotes {
  readonly scope: NoteScope;
  readonly file: NoteFile;
  /** Returns the index, which is built on first use. */
  index(): Promise<NoteIndex>;
  /** Returns the notes to rank: all notes once they are indexed; until then, the result of a file scan, while indexing runs in the background. */
  lookUp(queries: readonly string[]): Promise<FoundNotes>;
  /** Returns the public form of a note. */
  show(id: string, note: StoredNote): Note;
}

export interface NoteFiles {
  /** Returns the files with the changes on disk, narrowest scope first; a file that serves two scopes occurs once. */
  open(place: NotePlace, scopes?: readonly NoteScope[]): Promise<OpenNotes[]>;
  /** Returns the same files as `open`, without reading changes. */
  at(place: NotePlace, scopes?: readonly NoteScope[]): Promise<OpenNotes[]>;
  one(place: NotePlace, scope: NoteScope): Promise<OpenNotes>;
  /** Runs when the server is idle: writes counts, and merges journals into lists. */
  rest(): Promise<void>;
  /** Schedules the merging of the journal for an idle moment. */
  touched(notes: OpenNotes): void;
  /** Copies the notes of a chat to a fork of the chat. */
  fork(from: string, to: string): Promise<void>;
  /** Called when a chat was deleted together with its file. */
  drop(chatId: string): void;
  close(): Promise<void>;
}

export const allScopes: readonly NoteScope[] = ['chat', 'workspace', 'global'];
const fileName = '.agent_notes.json';
const maxOpen = 64;
/** Time in milliseconds after a change until the notes are treated as idle. */
const quietMs = 1_500;

interface Entry {
  readonly file: NoteFile;
  index: NoteIndex | undefined;
  building: Promise<NoteIndex> | undefined;
  isIndexed: boolean;
}

export function createNoteFiles(parts: NoteFilesParts): NoteFiles {
  const entries = new Map<string, Entry>();
  const dirty = new Set<Entry>();
  const running = createUnderWay();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const chatFile = (chatId: string): string => join(parts.chatFolder(chatId), fileName);
  const pathOf = ({ chatId, workspaceRoot }: NotePlace, scope: NoteScope): string =>
    scope === 'chat' ? chatFile(chatId) : join(scope === 'workspace' ? workspaceRoot : parts.home, fileName);

  function entryAt(path: string): Entry {
    const known = entries.get(path);
    // Reinserts the entry at the end, so that the first entry is always the least recently used.
    entries.delete(path);
    const entry: Entry = known ?? {
      index: undefined,
      building: undefined,
      isIndexed: false,
      file: openNoteFile({ path, lock: parts.lock, moveAside: parts.moveAside, changed: (id, note) => entry.index?.set(id, note) }),
    };
    entries.set(path, entry);
    for (const [oldPath, old] of entries) {
      if (entries.size <= maxOpen) break;
      if (!dirty.has(old)) entries.delete(oldPath);
    }
    return entry;
  }

  function indexOf(entry: Entry): Promise<NoteIndex> {
    return (entry.building ??= build(entry).catch((fault: unknown) => {
      entry.building = undefined;
      throw fault;
    }));
  }

  async function build(entry: Entry): Promise<NoteIndex> {
    await entry.file.refresh();
    const index = createNoteIndex();
    // From here on, the file reports changes to the index.
    entry.index = index;
    await inSlices(
      [...entry.file.notes.keys()],
      (id) => {
        if (!index.has(id)) index.set(id, entry.file.notes.get(id));
      },
      entry.file.pause,
    );
    entry.isIndexed = true;
    return index;
  }

  async function lookUp(entry: Entry, queries: readonly string[]): Promise<FoundNotes> {
    const { file } = entry;
    const found = entry.isIndexed && !(await file.isBehind()) ? undefined : await file.scan(queries);
    if (!found) {
      await file.refresh();
      return { index: await indexOf(entry), notes: file.notes, read: (id) => file.notes.get(id) };
    }
    // The next awaited call reports the error as well.
    void Promise.all([indexOf(entry), file.refresh()]).catch(() => undefined);
    return found;
  }

  function openAs(entry: Entry, scope: NoteScope): OpenNotes {
    const { file } = entry;
    return {
      scope,
      file,
      index: () => indexOf(entry),
      lookUp: (queries) => lookUp(entry, queries),
      show(id, note) {
        const name = splitId(id) ?? { type: 'fact', key: id };
        const isForeign = scope === 'workspace' && !parts.seals.isOurs(id, note);
        return { ...note, accessCount: Math.max(note.accessCount, file.accessCount(id)), id, ...name, scope, ...(isForeign ? { isForeign } : {}) };
      },
    };
  }

  /** Merges the journal of a file into its list; closing waits for all merges. */
  function fold(file: NoteFile, isQuiet: boolean): Promise<void> {
    return running.add(file.rest({ isQuiet }).catch((fault: unknown) => parts.warn(`'${file.path}' could not be folded: ${String(fault)}`)));
  }

  async function rest(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const entry of [...dirty]) {
      dirty.delete(entry);
      await fold(entry.file, true);
    }
  }

  function later(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => void rest(), quietMs).unref();
  }

  async function at(place: NotePlace, scopes: readonly NoteScope[] = allScopes): Promise<OpenNotes[]> {
    await parts.seals.ready();
    const paths = new Map<string, NoteScope>();
    for (const scope of allScopes) if (scopes.includes(scope) && !paths.has(pathOf(place, scope))) paths.set(pathOf(place, scope), scope);
    return [...paths].map(([path, scope]) => openAs(entryAt(path), scope));
  }

  return {
    at,
    async open(place, scopes) {
      const opened = await at(place, scopes);
      await Promise.all(opened.map(({ file }) => file.refresh()));
      return opened;
    },
    async one(place, scope) {
      await parts.seals.ready();
      return openAs(entryAt(pathOf(place, scope)), scope);
    },
    rest: async () => (isClosed ? undefined : rest()),
    touched({ file }) {
      const entry = entries.get(file.path);
      if (!entry) return;
      dirty.add(entry);
      // Without this, a journal that grows constantly would never be merged.
      if (!isClosed) void fold(file, false);
      later();
    },
    fork: (from, to) => copyNotes(chatFile(from), chatFile(to)),
    drop(chatId) {
      const path = chatFile(chatId);
      const entry = entries.get(path);
      entries.delete(path);
      if (entry) dirty.delete(entry);
    },
    async close() {
      isClosed = true;
      await rest();
      await running.idle();
    },
  };
}
