// Converts database rows to reply rows, and splits them into pages.
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

/** A row of the set that is read; if the set has no row for the reader, the row's fields are `null`. */
export interface PageRow extends DatabaseRow {
  /** `null`: there is no such set. */
  readonly set_revision: number | null;
  readonly horizon: number;
  readonly horizon_at: Date | null;
  readonly at: Date;
  readonly emptied: number;
  readonly mark: string;
  readonly reset: boolean;
}

export const rowColumns = 'key, value, updated_at, deleted_at, revision, source, confidence, links, by_id, by_email';

/** Rows of one reply: more than one change can contain, so that each has room for at least one. */
const pageRows = 1_000;
export const afterNow = pageRows + 1;
/** UTF-16 units of one reply beyond its first change. */
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

/** @param found in the order of revisions @param since what the reader knows */
export function toPage(found: readonly PageRow[], since: number | undefined, isShared: boolean): NoteReading {
  const [set] = found;
  const at = (set?.at ?? new Date(0)).toISOString();
  // A reader of something that no longer exists knew another history.
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

/** How many rows go into one reply: whole changes, so that the next one begins after a revision. */
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
