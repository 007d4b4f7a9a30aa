// Notes that go from one copy of a set to another: what travels, how far a reader is, and which of two counts. Pure.
import { compareVersions } from 'agent-harness/lib/copies';
import type { IncomingNote, MergedNote, StoredNote, TravellingNote } from '../contract.ts';
import { readNote, splitId, timeOf, tombstoneMs, whyUnfit } from './note-grammar.ts';

export function travelling(id: string, { value, createdAt, confidence, links, source, ...note }: StoredNote): TravellingNote {
  return { id, value, createdAt, ...timesOf(note), confidence, links, source };
}

/** Of its last change, as other copies are to see it. */
function timesOf({
  updatedAt,
  deletedAt,
  touchedAt = '',
}: Pick<StoredNote, 'updatedAt' | 'deletedAt' | 'touchedAt'>): Pick<StoredNote, 'updatedAt' | 'deletedAt'> {
  const latest = (time: string): string => (touchedAt > time ? touchedAt : time);
  return deletedAt === undefined ? { updatedAt: latest(updatedAt) } : { updatedAt, deletedAt: latest(deletedAt) };
}

/** @param now milliseconds since 1970 */
export function writeCursor(serial: number, now: number): string {
  return `${serial}@${now}`;
}

/** The serial up to which a reader knows a file; `undefined` where that cannot be told: it is another file by now, or marks of deletions are gone. */
export function readCursor(cursor: string | undefined, newest: number, now: number): number | undefined {
  const [, serial = '', at = ''] = /^(\d{1,15})@(\d{1,15})$/.exec(cursor ?? '') ?? [];
  return serial === '' || Number(serial) > newest || now - Number(at) > tombstoneMs ? undefined : Number(serial);
}

export function whyUnmergeable({ id, value, updatedAt, deletedAt }: TravellingNote): string | undefined {
  const name = splitId(id);
  if (!name) return 'its id is no type and key';
  if (timeOf(updatedAt) === undefined || (deletedAt !== undefined && timeOf(deletedAt) === undefined)) return 'its times are no times in UTC';
  return whyUnfit({ ...name, value: deletedAt === undefined ? value : value || 'x' });
}

export interface Merge extends MergedNote {
  /** What stands there from now on; left out where that does not change. */
  readonly next?: StoredNote;
}

/**
 * @param counting what counts here, deletions too
 * @param known what stands there, whether it counts or not
 * @param from the serial up to which the other copy knows this one
 */
export function mergeNote(note: IncomingNote, counting: StoredNote | undefined, known: StoredNote | undefined, from: number): Merge {
  const { id } = note;
  const before = counting && { ...counting, ...timesOf(counting) };
  // Other people's text that is here already, word for word.
  if (note.isForeign && known && !known.isPending && isSameVersion(note, known) && known.value === note.value) return { id, outcome: 'same' };
  const isOver = note.over !== undefined && before !== undefined && isSameVersion(note.over, before);
  const order = before && !(isOver && !(isSameVersion(note, before) && note.value === before.value)) ? compareVersions(note, before) : 1;
  if (before && order === 0) return { id, outcome: 'same' };
  // A deletion that nobody here has seen leaves its mark, so that it goes on to others.
  const isApart = before !== undefined && !isOver && (before.serial ?? 0) > from && before.deletedAt === undefined && note.value !== before.value;
  if (before && order < 0) return { id, outcome: 'kept', ...(isApart && note.deletedAt === undefined ? { lost: note } : {}) };
  const read = readNote(id, { ...note, revision: (known?.revision ?? 0) + 1, accessCount: known?.accessCount ?? 0 });
  if (!read) return { id, outcome: 'refused', why: 'it is no note' };
  const next = note.createdAt === undefined && known ? { ...read, createdAt: known.createdAt } : read;
  return { id, outcome: 'taken', next, ...(isApart ? { lost: travelling(id, before) } : {}) };
}

function isSameVersion(one: Pick<StoredNote, 'updatedAt' | 'deletedAt'>, other: Pick<StoredNote, 'updatedAt' | 'deletedAt'>): boolean {
  return one.updatedAt === other.updatedAt && one.deletedAt === other.deletedAt;
}
