// Computes changes, cursors and conflicts for synchronising notes between the copies of a set. Pure.
import { compareVersions } from '#lib/copies';
import type { IncomingNote, MergedNote, StoredNote, TravellingNote } from '../contract.ts';
import { readNote, splitId, timeOf, tombstoneMs, whyUnfit } from './note-grammar.ts';

export function travelling(id: string, { value, createdAt, confidence, links, source, ...note }: StoredNote): TravellingNote {
  return { id, value, createdAt, ...timesOf(note), confidence, links, source };
}

/** Returns the times of the last change that other copies can see. */
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

/** Returns the serial number up to which the reader has read the file; `undefined` if the cursor belongs to another file, or tombstones have expired since. */
export function readCursor(cursor: string | undefined, newest: number, now: number): number | undefined {
  const [, serial = '', at = ''] = /^(\d{1,15})@(\d{1,15})$/.exec(cursor ?? '') ?? [];
  return serial === '' || Number(serial) > newest || now - Number(at) > tombstoneMs ? undefined : Number(serial);
}

export function whyUnmergeable({ id, value, updatedAt, deletedAt }: TravellingNote): string | undefined {
  const name = splitId(id);
  if (!name) return 'its id does not have the form type:key';
  if (timeOf(updatedAt) === undefined || (deletedAt !== undefined && timeOf(deletedAt) === undefined)) return 'its times are not valid UTC times';
  return whyUnfit({ ...name, value: deletedAt === undefined ? value : value || 'x' });
}

export interface Merge extends MergedNote {
  /** The new value; omitted if the note is unchanged. */
  readonly next?: StoredNote;
}

/**
 * @param counting the active value, including tombstones
 * @param known the stored value, active or not
 * @param from serial number up to which the other copy has read this one
 */
export function mergeNote(note: IncomingNote, counting: StoredNote | undefined, known: StoredNote | undefined, from: number): Merge {
  const { id } = note;
  const before = counting && { ...counting, ...timesOf(counting) };
  // The same external content is already stored.
  if (note.isForeign && known && !known.isPending && isSameVersion(note, known) && known.value === note.value) return { id, outcome: 'same' };
  const isOver = note.over !== undefined && before !== undefined && isSameVersion(note.over, before);
  const order = before && !(isOver && !(isSameVersion(note, before) && note.value === before.value)) ? compareVersions(note, before) : 1;
  if (before && order === 0) return { id, outcome: 'same' };
  // The deletion of an unknown note leaves a tombstone, so that it reaches other copies.
  const isApart = before !== undefined && !isOver && (before.serial ?? 0) > from && before.deletedAt === undefined && note.value !== before.value;
  if (before && order < 0) return { id, outcome: 'kept', ...(isApart && note.deletedAt === undefined ? { lost: note } : {}) };
  const read = readNote(id, { ...note, revision: (known?.revision ?? 0) + 1, accessCount: known?.accessCount ?? 0 });
  if (!read) return { id, outcome: 'refused', why: 'it is not a valid note' };
  const next = note.createdAt === undefined && known ? { ...read, createdAt: known.createdAt } : read;
  return { id, outcome: 'taken', next, ...(isApart ? { lost: travelling(id, before) } : {}) };
}

function isSameVersion(one: Pick<StoredNote, 'updatedAt' | 'deletedAt'>, other: Pick<StoredNote, 'updatedAt' | 'deletedAt'>): boolean {
  return one.updatedAt === other.updatedAt && one.deletedAt === other.deletedAt;
}
