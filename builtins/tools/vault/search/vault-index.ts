// Maintains the search index of a vault: builds it on first use, and updates it on each use by comparing times and sizes of files.
import { isFailure } from '#lib/errors';
import { yieldToEventLoop } from '#lib/event-loop';
import MiniSearch from 'minisearch';
import { join } from 'node:path';
import { readFoundNote } from '../notes/note-file.ts';
import { nameNotes, type NoteNames } from '../notes/note-names.ts';
import { parseNote, type ParsedNote, type WikiLink } from '../notes/parse-note.ts';
import type { Root } from '../notes/place.ts';
import { indexWordsOf } from './tokenize.ts';
import { walkNotes, type FoundNote } from '../notes/walk-notes.ts';

export interface IndexedNote extends FoundNote {
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly links: readonly WikiLink[];
  /** Whether the note contains external content: unreviewed web pages, clippings. */
  readonly isForeign: boolean;
  /** Sentence that states why the text is not indexed. */
  readonly fault?: string;
}

export interface IndexHit {
  readonly note: IndexedNote;
  /** Relevance score; higher is better. Scores are comparable only within one result. */
  readonly score: number;
  /** The matching words of the note. */
  readonly words: readonly string[];
}

export interface IndexView {
  readonly notes: ReadonlyMap<string, IndexedNote>;
  readonly names: NoteNames;
  /** Whether the maximum number of notes was exceeded. */
  readonly isCut: boolean;
  /** Returns hits, best first. `isLoose`: also matches prefixes and similar spellings. */
  search(query: string, options: { readonly isLoose: boolean }): IndexHit[];
}

export interface VaultIndex {
  /** Updates the index from the files. One update runs at a time; callers that arrive during an update share the next one. */
  refresh(): Promise<IndexView>;
}

/** Maximum number of indexed characters of a note. */
const maxText = 200_000;
const readAtOnce = 32;
/** Share of outdated entries, 0 to 1, at which the index is cleaned up. */
const maxDirt = 0.3;
const boost = { title: 4, tags: 3, headings: 2, text: 1 };

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly tags: string;
  readonly headings: string;
  readonly text: string;
}

export function createVaultIndex(root: Root): VaultIndex {
  const notes = new Map<string, IndexedNote>();
  const index = new MiniSearch<Entry>({ fields: Object.keys(boost), tokenize: indexWordsOf, processTerm: (word) => word, autoVacuum: false });
  let view: IndexView | undefined;
  let attachments: ReadonlySet<string> = new Set();
  let running: Promise<IndexView> | undefined;
  let next: Promise<IndexView> | undefined;

  async function update(): Promise<IndexView> {
    const found = await walkNotes(root);
    const present = new Set(found.notes.map((note) => note.path));
    const gone = [...notes.keys()].filter((path) => !present.has(path));
    const changed = found.notes.filter((note) => !isSame(notes.get(note.path), note));
    for (const path of gone) drop(path);
    for (let at = 0; at < changed.length; at += readAtOnce) {
      const batch = await Promise.all(changed.slice(at, at + readAtOnce).map((note) => readOne(root, note)));
      for (const one of batch) put(one);
      await yieldToEventLoop();
    }
    // The words of deleted notes are removed here, so that no work runs after the vault has been closed.
    if (index.dirtFactor > maxDirt) await index.vacuum({ batchSize: 1000, batchWait: 0 });
    if (!view || gone.length > 0 || changed.length > 0 || !isSameSet(attachments, found.attachments)) {
      attachments = found.attachments;
      view = { notes, names: nameNotes(notes.values(), found.attachments), isCut: found.isCut, search };
    }
    return view;
  }

  function put({ note, entry }: { note: IndexedNote; entry: Entry }): void {
    if (notes.has(note.path)) drop(note.path);
    notes.set(note.path, note);
    index.add(entry);
  }

  function drop(path: string): void {
    notes.delete(path);
    index.discard(path);
  }

  function search(query: string, { isLoose }: { readonly isLoose: boolean }): IndexHit[] {
    const loose = { prefix: (word: string) => word.length >= 3 || word > '\u2e80', fuzzy: (word: string) => (word.length >= 5 ? 0.2 : false), maxFuzzy: 2 };
    return index.search(query, { boost, ...(isLoose ? loose : {}) }).flatMap(({ id, score, terms }) => {
      const note = notes.get(String(id));
      return note ? [{ note, score, words: terms }] : [];
    });
  }

  return {
    refresh() {
      if (!running) {
        running = update().finally(() => (running = undefined));
        return running;
      }
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined;
          running ??= update().finally(() => (running = undefined));
          return running;
        });
      return next;
    },
  };
}

/** Reads one note; an unreadable note is still found by name. */
async function readOne(root: Root, found: FoundNote): Promise<{ note: IndexedNote; entry: Entry }> {
  try {
    const parsed = parseNote(await readFoundNote(join(root.path, found.path), found.path, found.size), found.path);
    return entryOf(found, parsed, parsed.fault);
  } catch (fault) {
    const why = isFailure(fault) ? fault.message : `${found.path} cannot be read.`;
    return entryOf(found, parseNote('', found.path), why);
  }
}

function entryOf(found: FoundNote, parsed: ParsedNote, fault: string | undefined): { note: IndexedNote; entry: Entry } {
  const { title, aliases, tags, links } = parsed;
  const note = { ...found, title, aliases, tags, links, isForeign: isForeignNote(found.path, parsed.frontMatter), ...(fault === undefined ? {} : { fault }) };
  const names = [title, found.path.replace(/\.(md|markdown)$/i, ''), ...aliases].join('\n');
  return { note, entry: { id: found.path, title: names, tags: tags.join(' '), headings: parsed.headings.join('\n'), text: parsed.body.slice(0, maxText) } };
}

/** Returns whether a note is external content: an unreviewed note that the program wrote, or a clipping, which names its source page. */
export function isForeignNote(path: string, frontMatter: Readonly<Record<string, unknown>>): boolean {
  if (path.startsWith('agent/inbox/') || frontMatter['status'] === 'unreviewed') return true;
  if (frontMatter['made_by'] === 'agent-harness') return false;
  return ['source', 'url'].some((key) => [frontMatter[key]].flat().some((value) => typeof value === 'string' && /^https?:/i.test(value.trim())));
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item));
}

function isSame(known: IndexedNote | undefined, found: FoundNote): boolean {
  return known !== undefined && known.mtimeMs === found.mtimeMs && known.size === found.size;
}
