// Groups entries into rows of the list; consecutive calls of a turn share one row. Unchanged rows keep their object identity.
import type { AssistantEntry, Entry, ToolEntry } from 'agent-harness/client';

export type Row =
  | { readonly key: string; readonly kind: 'entry'; readonly entry: Exclude<Entry, ToolEntry>; readonly isTurnEnd: boolean }
  | { readonly key: string; readonly kind: 'tools'; readonly entries: readonly Step[]; readonly isTurnEnd: boolean };

/** A call, or reasoning between two calls. */
export type Step = ToolEntry | AssistantEntry;

export interface Rows {
  readonly rows: readonly Row[];
  /** Whether older entries were prepended and the rest of the beginning is unchanged. */
  readonly isPrepended: boolean;
}

/** Caches the last result: the cost of a change at the end depends only on the size of the change. Equal entries return the same object. */
export function createRows(): (entries: readonly Entry[]) => Rows {
  let last: readonly Entry[] = [];
  let answer: Rows = { rows: [], isPrepended: false };
  return (entries) => {
    if (entries === last) return answer;
    const rows = groupFrom(entries, answer.rows, commonStart(entries, last));
    answer = { rows, isPrepended: isPrepended(entries, last) };
    last = entries;
    return answer;
  };
}

function commonStart(a: readonly Entry[], b: readonly Entry[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count++;
  return count;
}

function isPrepended(entries: readonly Entry[], last: readonly Entry[]): boolean {
  const first = last[0];
  return first !== undefined && entries.length > last.length && entries[0]?.id !== first.id && entries.some((entry) => entry.id === first.id);
}

/** @param same number of unchanged entries at the beginning */
function groupFrom(entries: readonly Entry[], before: readonly Row[], same: number): Row[] {
  const rows: Row[] = [];
  // The row before a change may grow or may no longer be the last row of its turn.
  let end = same - 1;
  while (isNote(entries[end]) || isThought(entries[end])) end--;
  let at = 0;
  for (const row of before) {
    const size = row.kind === 'tools' ? row.entries.length : 1;
    if (at + size > end) break;
    rows.push(row);
    at += size;
  }
  const known = new Map(before.slice(rows.length).map((row) => [row.key, row]));
  while (at < entries.length) {
    const row = rowAt(entries, at);
    const old = known.get(row.key);
    rows.push(old && isSame(old, row) ? old : row);
    at += row.kind === 'tools' ? row.entries.length : 1;
  }
  return rows;
}

function rowAt(entries: readonly Entry[], at: number): Row {
  const entry = entries[at] as Entry;
  if (entry.kind !== 'tool') return { key: entry.id, kind: 'entry', entry, isTurnEnd: entry.kind === 'assistant' && endsTurn(entry, nextSaid(entries, at)) };
  const end = endOfSteps(entries, at);
  const last = entries[end - 1] as Step;
  return { key: entry.id, kind: 'tools', entries: entries.slice(at, end) as Step[], isTurnEnd: endsTurn(last, nextSaid(entries, end - 1)) };
}

/** Returns the index after the last call in the group that starts at `at`; includes reasoning between calls. */
function endOfSteps(entries: readonly Entry[], at: number): number {
  let end = at + 1;
  for (let next = end; next < entries.length; next++) {
    const entry = entries[next] as Entry;
    if (entry.kind === 'tool') {
      if (!isSameWork(entries[end - 1] as Step, entry)) break;
      end = next + 1;
    } else if (!isThought(entry)) break;
  }
  return end;
}

function isSameWork(a: Step, b: ToolEntry): boolean {
  if (a.turnId !== undefined && b.turnId !== undefined) return a.turnId === b.turnId;
  return a.kind === 'tool' && a.messageId !== undefined && a.messageId === b.messageId;
}

/** Returns whether the entry is a reply without text, that is, reasoning before a call. */
function isThought(entry: Entry | undefined): boolean {
  return entry?.kind === 'assistant' && entry.text === '' && !entry.isStreaming;
}

function endsTurn(entry: Step, next: Entry | undefined): boolean {
  if (entry.kind === 'assistant' && entry.isStreaming) return false;
  return next === undefined || next.kind === 'user' || (next.turnId !== undefined && next.turnId !== entry.turnId);
}

/** Returns the next entry; skips notes about a turn and announcements, which are not part of the turn. */
function nextSaid(entries: readonly Entry[], at: number): Entry | undefined {
  let next = at + 1;
  while (isNote(entries[next])) next++;
  return entries[next];
}

function isNote(entry: Entry | undefined): boolean {
  return entry?.kind === 'system' || entry?.kind === 'error' || entry?.kind === 'announcement';
}

function isSame(a: Row, b: Row): boolean {
  if (a.kind === 'entry') return b.kind === 'entry' && a.entry === b.entry && a.isTurnEnd === b.isTurnEnd;
  return (
    b.kind === 'tools' && a.isTurnEnd === b.isTurnEnd && a.entries.length === b.entries.length && a.entries.every((entry, index) => entry === b.entries[index])
  );
}
