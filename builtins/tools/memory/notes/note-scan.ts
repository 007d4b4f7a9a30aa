// Scans the bytes of a note list for notes with given words, without parsing the rest, until all notes are indexed.
import { inSlices } from '#lib/event-loop';
import { recordIn } from '#lib/values';
import type { StoredNote } from '../contract.ts';
import { isActive, readNote } from './note-grammar.ts';
import { createNoteIndex, keyWeight, type RankedIndex } from '../search/note-index.ts';
import { stopWords, eachToken } from '#lib/words';
import { createWordReader, type WordReader } from '../search/word-reader.ts';

export interface FoundNotes {
  readonly index: RankedIndex;
  /** All notes; before they are read, only the matching ones. */
  readonly notes: ReadonlyMap<string, StoredNote>;
  read(id: string): StoredNote | undefined;
}

interface Line {
  readonly bytes: Buffer;
  readonly from: number;
}

const quote = 34;
const colon = 58;
const lineBreak = 10;
const maxTerms = 2_000;
const factType = Buffer.from('fact');
const valueBegins = Buffer.from(':{"value":"');

/**
 * Returns an index of only the words of the queries, which ranks like the full index; `undefined` if the list does not have one note per
 * line.
 * @param newer changes since the list was written; receives the newer notes of the list
 */
export async function scanNotes(list: Buffer, newer: Map<string, StoredNote>, queries: readonly string[]): Promise<FoundNotes | undefined> {
  if (list.toString('latin1', 0, 2) !== '{\n' || list.toString('latin1', list.length - 3) !== '\n}\n') return undefined;
  const terms = new Set<string>();
  for (const query of queries) eachToken(query, (term) => terms.size < maxTerms && terms.add(term));
  const index = createNoteIndex();
  const lines = new Map<string, Line>();
  const notes = new Map<string, StoredNote>();
  /** Slots that are reserved for notes that are added after the others. */
  const reserved = new Map<string, number>();
  const sum = { notes: 0, words: 0 };

  /** Adds a line. Returns `false` if the position of the note's text is unknown. */
  function takeLine(words: WordReader, { bytes, from }: Line, isNewest: boolean): boolean {
    words.begin();
    const typeEnds = bytes.indexOf(colon, from);
    const isFact = typeEnds === from + 5 && hasAt(bytes, from + 1, factType);
    if (bytes[from] !== quote || typeEnds === -1) return false;
    if (!isFact && words.take(from + 1, 1, colon) !== typeEnds) return false;
    const idEnds = words.take(typeEnds + 1, keyWeight);
    if (idEnds === -1 || !hasAt(bytes, idEnds + 1, valueBegins)) return false;
    if (!isNewest && newer.size > 0 && newer.has(idIn(bytes, from, idEnds))) return false;
    const valueEnds = words.take(idEnds + 1 + valueBegins.length, 1);
    if (valueEnds === -1) return false;
    const { isLive, updatedAt } = readRest(bytes, valueEnds + 1);
    if (isLive) {
      sum.notes++;
      sum.words += words.length;
    }
    if (!isLive || words.counts.size === 0) {
      if (!isNewest || !reserved.has(idIn(bytes, from, idEnds))) index.skip();
      return true;
    }
    const id = idIn(bytes, from, idEnds);
    if (lines.has(id)) return true;
    lines.set(id, { bytes, from });
    index.add(id, words.counts, words.length, Date.parse(updatedAt) || 0, isNewest ? reserved.get(id) : undefined);
    return true;
  }

  /** Parses a line if more than its text is needed. Returns `false` if it is invalid. */
  function parseLine(line: Line): boolean {
    const entry = entryIn(line);
    if (!entry) return false;
    const note = readNote(...entry);
    if (!note) return true;
    const [id] = entry;
    if (!reserved.has(id)) reserved.set(id, index.skip());
    const known = newer.get(id);
    if (!known || note.revision >= known.revision) newer.set(id, note);
    return true;
  }

  function indexLine(line: Line): boolean {
    const [id = ''] = entryIn(line) ?? [];
    const before = index.words.total;
    index.set(id, notes.get(id), reserved.get(id));
    sum.notes++;
    sum.words += index.words.total - before;
    return true;
  }

  async function takeAll(bytes: Buffer, from: number, end: number, isNewest: boolean): Promise<boolean> {
    const words = createWordReader(bytes, terms, stopWords);
    let isWhole = true;
    await inSlices(lineStarts(bytes, from, end), (at) => {
      const line = { bytes, from: at };
      if (isWhole && !takeLine(words, line, isNewest)) isWhole = isNewest ? indexLine(line) : parseLine(line);
    });
    return isWhole;
  }

  if (!(await takeAll(list, 2, list.length - 3, false))) return undefined;
  for (const [id, note] of newer) {
    if (isActive(note)) notes.set(id, note);
  }
  const printed = Buffer.from([...notes].map(([id, note]) => `${JSON.stringify(id)}:${JSON.stringify(note)}`).join(',\n'));
  if (!(await takeAll(printed, 0, printed.length, true))) return undefined;
  return {
    index: { ...index, size: sum.notes, words: { total: sum.words, notes: sum.notes } },
    notes,
    read(id) {
      const line = lines.get(id);
      const known = notes.get(id);
      if (known || !line) return known;
      const entry = entryIn(line);
      const note = entry && readNote(...entry);
      if (note) notes.set(id, note);
      return note;
    },
  };
}

function* lineStarts(bytes: Buffer, from: number, end: number): Generator<number> {
  for (let at = from; at < end;) {
    yield at;
    const next = bytes.indexOf(lineBreak, at);
    at = next === -1 ? end : next + 1;
  }
}

/** Returns whether the bytes occur at the position; for a few bytes, comparing inline is faster than a call. */
function hasAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let place = 0; place < wanted.length; place++) if (bytes[at + place] !== wanted[place]) return false;
  return true;
}

function idIn(bytes: Buffer, from: number, idEnds: number): string {
  const text = bytes.toString('utf8', from + 1, idEnds);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function entryIn({ bytes, from }: Line): [string, unknown] | undefined {
  const ends = bytes.indexOf(lineBreak, from);
  const text = bytes.toString('utf8', from, ends === -1 ? bytes.length : ends).replace(/,$/, '');
  return Object.entries(recordIn(`{${text}}`))[0];
}

/** Reads the fields after the text. Quotes in strings are escaped, so a quoted name is the name of a field. */
function readRest(bytes: Buffer, from: number): { readonly isLive: boolean; readonly updatedAt: string } {
  const ends = bytes.indexOf(lineBreak, from);
  const rest = bytes.toString('latin1', from, ends === -1 ? bytes.length : ends);
  const changed = rest.indexOf(',"updatedAt":"');
  return {
    isLive: !rest.includes(',"deletedAt":"') && !rest.includes(',"isPending":true'),
    updatedAt: changed === -1 ? '' : rest.slice(changed + 14, rest.indexOf('"', changed + 14)),
  };
}
