// Decides how one entry of a change affects the stored row of a note. Pure.
import { compareVersions, settledTime, timeOfVersion } from '#lib/copies';
import { stableJson } from '#lib/values';
import type { NoteRow, NoteTombstone, NoteUpsert, NoteVersion, NoteWriter, TombstoneRow } from './contract.ts';

/** A stored row; the value of a deletion is empty. */
export interface StoredRow {
  readonly key: string;
  readonly value: string;
  /** ISO 8601 UTC with milliseconds; for a deletion, the time of the deletion. */
  readonly updatedAt: string;
  readonly deletedAt?: string;
  readonly revision: number;
  readonly source?: NoteUpsert['source'];
  readonly confidence?: number;
  readonly links?: readonly string[];
  readonly by: NoteWriter;
}

export interface Decision {
  /** The new row; omitted if nothing changes. */
  readonly next?: StoredRow;
  /** The replaced version, or the sent version if the stored row is newer. */
  readonly version?: Omit<NoteVersion, 'replacedAt'> & { readonly key: string };
  /** Whether the stored row differs from the sent one. */
  readonly isDifferent: boolean;
}

/**
 * Compares a sent entry with the stored row; the newer one wins.
 * @param now control plane time in milliseconds since 1970
 * @param revision revision of this change
 */
export function decideEntry(sent: NoteUpsert | NoteTombstone, known: StoredRow | undefined, by: NoteWriter, now: number, revision: number): Decision {
  const row = rowOf(sent, by, now, revision);
  const order = known ? compareVersions(row, known) : 1;
  if (known && order <= 0) {
    const isLost = order < 0 && row.deletedAt === undefined && (known.deletedAt !== undefined || known.value !== row.value);
    return {
      ...(isLost ? { version: { ...versionOf(row), reason: known.deletedAt === undefined ? 'newer' : 'deleted' } } : {}),
      isDifferent: isStoredDifferently(sent, known),
    };
  }
  const version = known && versionReplaced(known, row);
  return { next: row, ...(version ? { version } : {}), isDifferent: isStoredDifferently(sent, row) };
}

/** Returns whether a stored row differs from the sent one. */
export function isStoredDifferently(sent: NoteUpsert | NoteTombstone, stored: StoredRow): boolean {
  return contentOf(stored) !== contentOf({ ...rowOf(sent, stored.by, Infinity, 0), updatedAt: timeSent(sent) });
}

/** Serialises the fields that all copies must agree on. */
function contentOf({ key, value, updatedAt, deletedAt, source, confidence, links }: Omit<StoredRow, 'by' | 'revision'>): string {
  return stableJson(deletedAt === undefined ? { key, value, updatedAt, source, confidence, links } : { key, deletedAt: updatedAt });
}

export function shownRow({ key, value, updatedAt, deletedAt, revision, source, confidence, links, by }: StoredRow, isShared: boolean): NoteRow | TombstoneRow {
  const placed = { revision, ...(isShared ? { by } : {}) };
  if (deletedAt !== undefined) return { key, deletedAt, ...placed };
  return { key, value, updatedAt, ...(source ? { source } : {}), ...(confidence === undefined ? {} : { confidence }), ...(links ? { links } : {}), ...placed };
}

function rowOf(sent: NoteUpsert | NoteTombstone, by: NoteWriter, now: number, revision: number): StoredRow {
  if ('deletedAt' in sent) {
    const deletedAt = settledTime(sent.deletedAt, now);
    return { key: sent.key, value: '', updatedAt: deletedAt, deletedAt, revision, by };
  }
  const { key, value, updatedAt, source, confidence, links } = sent;
  return {
    ...{ key, value, updatedAt: settledTime(updatedAt, now), revision, by },
    ...(source ? { source } : {}),
    ...(confidence === undefined ? {} : { confidence }),
    ...(links && links.length > 0 ? { links } : {}),
  };
}

const timeSent = (sent: NoteUpsert | NoteTombstone): string => ('deletedAt' in sent ? sent.deletedAt : sent.updatedAt);

function versionOf({ key, value, updatedAt, by }: StoredRow): { key: string; value: string; updatedAt: string; by: NoteWriter } {
  return { key, value, updatedAt, by };
}

/** Returns the version that a new row replaces. A deletion that only gets a later time creates no version. */
function versionReplaced(known: StoredRow, row: StoredRow): Decision['version'] {
  if (known.deletedAt !== undefined) return row.deletedAt === undefined ? { ...versionOf(known), reason: 'restored' } : undefined;
  if (row.deletedAt === undefined && row.value === known.value && timeOfVersion(row) >= timeOfVersion(known)) return undefined;
  return { ...versionOf(known), reason: row.deletedAt === undefined ? 'newer' : 'deleted' };
}
