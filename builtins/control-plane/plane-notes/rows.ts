// Converts database rows of notes to reply rows, and splits them into pages.
import type { NoteReading } from './contract.ts';
import { shownRow, type StoredRow } from './decide.ts';

export interface DatabaseRow {
  readonly key: string;
  readonly value: string;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly revision: number;
  readonly source: StoredRow['source'] | null;
  readonly confidence: number | null;
  readonly links: readonly string[] | null;
  readonly by_id: string;
  readonly by_email: string;
}

/** A row of the set that was read; its fields are `null` if no row matches. */
export interface PageRow extends DatabaseRow {
  /** Revision of the set; `null` if the set does not exist. */
  readonly set_revision: number | null;
  readonly horizon: number;
  readonly horizon_at: Date | null;
  readonly at: Date;
  readonly emptied: number;
  readonly mark: string;
  readonly reset: boolean;
}

export const rowColumns = 'key, value, updated_at, deleted_at, revision, source, confidence, links, by_id, by_email';

/** Maximum number of rows per reply; larger than the maximum size of a change, so that every change fits. */
const pageRows = 1_000;
export const afterNow = pageRows + 1;
/** Maximum size of a reply in UTF-16 code units, in addition to its first change. */
const pageSize = 4_000_000;

export function readRow(row: DatabaseRow): StoredRow {
  const { key, value, updated_at: updatedAt, deleted_at: deletedAt, revision, source, confidence, links, by_id: userId, by_email: email } = row;
  return {
    ...{ key, value, revision, by: { userId, email }, updatedAt: updatedAt.toISOString() },
    ...(deletedAt ? { deletedAt: deletedAt.toISOString() } : {}),
    ...(source ? { source } : {}),
    ...(confidence === null ? {} : { confidence }),
    ...(links ? { links } : {}),
  };
}

/** Builds one page of a read. @param found rows in order of revision @param since last revision that the reader has */
export function toPage(found: readonly PageRow[], since: number | undefined, isShared: boolean): NoteReading {
  const [set] = found;
  const at = (set?.at ?? new Date(0)).toISOString();
  // The reader has read a set that no longer exists, so its revision belongs to another history.
  if (!set || set.set_revision === null) return { revision: 0, mark: '', horizon: 0, at, reset: (since ?? 0) > 0, notes: [], tombstones: [] };
  const rows = set.key === null ? [] : found;
  const end = pageEnd(rows);
  const shown = rows.slice(0, end).map((row) => shownRow(readRow(row), isShared));
  const isMore = end < rows.length;
  return {
    revision: isMore ? (rows[end - 1]?.revision ?? 0) : set.set_revision,
    ...(isMore ? {} : { mark: set.mark }),
    horizon: set.horizon,
    ...(set.horizon_at ? { horizonAt: set.horizon_at.toISOString() } : {}),
    at,
    reset: set.reset,
    ...(set.reset && since !== undefined && since < set.emptied ? { emptied: true as const } : {}),
    ...(isMore ? { more: true as const } : {}),
    notes: shown.filter((row) => 'value' in row),
    tombstones: shown.filter((row) => 'deletedAt' in row),
  };
}

/** Returns the number of rows in the reply. A change is never split, so that the next page begins after a revision. */
function pageEnd(rows: readonly PageRow[]): number {
  let size = 0;
  let end = 0;
  for (const [at, { revision, value }] of rows.entries()) {
    const isNext = at > 0 && revision !== rows[at - 1]?.revision;
    if (isNext) end = at;
    if (end > 0 && size > pageSize) return end;
    size += value.length;
  }
  return rows.length < afterNow ? rows.length : end;
}
