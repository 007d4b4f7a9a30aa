// Synchronises one local set of notes with its copy on the control plane. Every step can be interrupted and repeated.
import type { NoteChange, NoteChangeReply, NoteConflict, NoteReading, NoteRow, TombstoneRow } from 'agent-harness/builtins/control-plane/plane-notes';
import type { IncomingNote, MergedNote, NoteChanges, NoteSource, TravellingNote } from 'agent-harness/builtins/tools/memory';
import { selectOutgoing } from './outgoing.ts';
import { isSameVersion, maxConflicts, unsent, versionOf, type PendingChange, type SetRecord } from './set-state.ts';

/** One local set of notes. */
export interface Replica {
  changes(since?: string): Promise<NoteChanges>;
  merge(notes: readonly IncomingNote[], since?: string): Promise<readonly MergedNote[]>;
}

export type PlaneAnswer =
  | ({ readonly what: 'done' } & NoteChangeReply)
  | ({ readonly what: 'conflict' } & NoteConflict)
  /** The control plane already has this mutation number with different content, so this copy must use a new client id. */
  | { readonly what: 'out_of_order' }
  /** The control plane refused one entry or the whole change. */
  | { readonly what: 'refused'; readonly why: string };

/** The set on the control plane. Methods reject if it is unreachable. */
export interface PlaneCopy {
  read(reader: { readonly since?: number; readonly mark?: string; readonly isWhole?: boolean }): Promise<NoteReading>;
  write(change: NoteChange): Promise<PlaneAnswer>;
}

export interface SyncPorts {
  readonly replica: Replica;
  readonly plane: PlaneCopy;
  readonly record: SetRecord;
  /** Resolves when the record is on disk. */
  save(): Promise<void>;
  createClientId(): string;
  /** Returns whether another user wrote the row, which makes it external content. */
  isForeign(row: NoteRow | TombstoneRow): boolean;
  /** ISO 8601. */
  now(): string;
}

export interface SyncCounts {
  pulled: number;
  pushed: number;
  /** Whether concurrent writes of other clients left changes for the next sync. */
  isUnfinished: boolean;
}

/** Maximum number of attempts to upload while other clients write to the set. */
const maxRounds = 8;

/** Synchronises a set. Uploads nothing until the user has agreed, whatever the direction. */
export async function syncSet(ports: SyncPorts, direction: 'pull' | 'push' | 'both'): Promise<SyncCounts> {
  const { replica, plane, record, save } = ports;
  const { state, known } = record;
  const counts: SyncCounts = { pulled: 0, pushed: 0, isUnfinished: false };

  async function pull(): Promise<void> {
    const first = await plane.read({
      ...(state.revision === undefined ? {} : { since: state.revision }),
      ...(state.mark === undefined ? {} : { mark: state.mark }),
    });
    if (first.emptied) return forgetAll(first);
    if (first.reset) return takeWhole(first);
    const isWhole = state.revision === undefined;
    const seen = new Set<string>();
    for (let page = first; ; page = await plane.read({ since: page.revision, isWhole })) {
      // The set was restored or removed between two pages: the next round reads its new state.
      if (page !== first && page.reset) break;
      for (const { key } of await takeRows(rowsOf(page))) seen.add(key);
      if (page.more && isWhole) continue;
      readTo(page);
      if (page.more) continue;
      sendAgain((state.unread ?? []).filter((id) => !seen.has(id)));
      break;
    }
    await save();
  }

  /** Re-uploads notes that the control plane accepted but no longer has. */
  function sendAgain(ids: readonly string[]): void {
    for (const id of ids) known.set(id, unsent);
    if (ids.length > 0) state.isIncomplete = true;
    delete state.unread;
  }

  function readTo({ revision, mark, at }: NoteReading): void {
    state.revision = revision;
    state.readAt = at;
    if (mark === undefined) delete state.mark;
    else state.mark = mark;
  }

  /** Resets the sync state after the set was removed from the control plane; only a user request uploads it again. */
  async function forgetAll(reading: NoteReading): Promise<void> {
    known.clear();
    delete state.cursor;
    delete state.isIncomplete;
    delete state.unread;
    delete state.pending;
    state.isAgreed = false;
    readTo(reading);
    await save();
  }

  async function takeWhole(first: NoteReading): Promise<void> {
    const { readAt = '' } = state;
    const rows = rowsOf(first);
    let last = first;
    while (last.more) {
      last = await plane.read({ since: last.revision, isWhole: true });
      rows.push(...rowsOf(last));
    }
    const keys = new Set(rows.map(({ key }) => key));
    const absent = [...known].filter(([id]) => !keys.has(id));
    // The last read is newer than every forgotten deletion, so absent notes were lost, not deleted.
    const isLost = first.horizonAt === undefined || Date.parse(readAt) > Date.parse(first.horizonAt) + clockSlackMs;
    if (isLost) sendAgain(absent.map(([id]) => id));
    else await removeDeletedElsewhere(absent.filter(([, [, hash]]) => hash !== '').map(([id, [updatedAt]]) => ({ id, updatedAt })));
    if (!isLost) for (const [id] of absent) known.delete(id);
    // Known versions may belong to a history that no longer exists.
    for (const { key } of rows) known.delete(key);
    await takeRows(rows);
    state.isIncomplete = true;
    delete state.unread;
    readTo(last);
    await save();
  }

  /** Removes notes that were deleted elsewhere at an unknown time; notes changed locally since then are retained and uploaded as new. */
  async function removeDeletedElsewhere(notes: readonly { readonly id: string; readonly updatedAt: string }[]): Promise<void> {
    const source: NoteSource = { kind: 'tool', ref: 'sync' };
    const merged = await replica.merge(
      notes.map(({ id, updatedAt }) => ({ id, value: '', updatedAt, deletedAt: updatedAt, source, over: { updatedAt } })),
      state.cursor,
    );
    const kept = new Set(merged.filter(({ outcome }) => outcome === 'kept').map(({ id }) => id));
    counts.pulled += merged.length - kept.size;
    for (const { id, updatedAt } of notes) if (kept.has(id)) storeConflict({ id, value: '', updatedAt }, 'restored');
  }

  async function takeRows(rows: readonly (NoteRow | TombstoneRow)[], over?: ReadonlyMap<string, IncomingNote['over']>): Promise<typeof rows> {
    const notes = rows.map((row) => incoming(row, over?.get(row.key), ports.isForeign(row)));
    // Skips changes that this copy uploaded itself.
    const news = notes.filter((note) => over !== undefined || !isSameVersion(known.get(note.id), versionOf(note)));
    if (news.length === 0) return rows;
    const merged = await replica.merge(news, state.cursor);
    for (const [at, { id, outcome, why, lost }] of merged.entries()) {
      const note = news[at] as IncomingNote;
      if (outcome === 'taken') counts.pulled++;
      // A local version that wins the conflict must be uploaded, regardless of its time.
      if (outcome === 'kept') state.isIncomplete = true;
      if (outcome === 'refused') state.refused[id] = `It cannot be stored on this machine: ${why ?? 'it is not a note'}.`;
      else known.set(id, versionOf(note));
      if (lost) storeConflict(lost, lost.updatedAt === note.updatedAt && lost.value === note.value ? 'there' : 'here');
    }
    return rows;
  }

  function storeConflict({ id, value, updatedAt }: Pick<TravellingNote, 'id' | 'value' | 'updatedAt'>, side: 'here' | 'there' | 'restored'): void {
    state.conflicts = [...state.conflicts, { at: ports.now(), id, value, updatedAt, side }].slice(-maxConflicts);
  }

  /** Returns whether the change is on the control plane. */
  async function send(change: PendingChange): Promise<boolean> {
    const answer = await plane.write({ ...change, clientId: state.clientId });
    delete state.pending;
    if (answer.what === 'done') {
      const sent = [...change.upserts.map((one) => travelling(one)), ...change.tombstones.map((one) => travelling(one))];
      for (const note of sent) known.set(note.id, versionOf(note));
      await takeRows(answer.rows, new Map(sent.map(({ id, updatedAt, deletedAt }) => [id, { updatedAt, ...(deletedAt === undefined ? {} : { deletedAt }) }])));
      counts.pushed += sent.length;
      if (answer.mark !== undefined) {
        state.revision = answer.revision;
        state.mark = answer.mark;
      } else state.unread = [...(state.unread ?? []), ...sent.map(({ id }) => id)];
      await save();
      return true;
    }
    if (answer.what === 'out_of_order') Object.assign(state, { clientId: ports.createClientId(), mutationId: 0 });
    if (answer.what === 'refused') await sendSingly(change, answer.why);
    await save();
    return answer.what === 'refused';
  }

  /** Sends entries one by one after the control plane refused a batch, so that one refused entry does not block the others. */
  async function sendSingly({ upserts, tombstones, ...rest }: PendingChange, why: string): Promise<void> {
    if (upserts.length + tombstones.length === 1) {
      for (const { key } of [...upserts, ...tombstones]) state.refused[key] = `The control plane refused it: ${why}`;
      return;
    }
    const singles = [...upserts.map((one) => ({ upserts: [one], tombstones: [] })), ...tombstones.map((one) => ({ upserts: [], tombstones: [one] }))];
    for (const single of singles)
      await sendNew({ base: state.revision ?? 0, ...(rest.mark === undefined ? {} : { mark: state.mark ?? rest.mark }), ...single });
  }

  async function sendNew(change: Omit<PendingChange, 'mutationId'>): Promise<boolean> {
    state.pending = { mutationId: ++state.mutationId, ...change };
    await save();
    return send(state.pending);
  }

  /** Returns whether all changes are on the control plane. */
  async function push(): Promise<boolean> {
    const { isIncomplete = false } = state;
    const changes = await replica.changes(isIncomplete ? undefined : state.cursor);
    if (changes.isReset && !isIncomplete && state.cursor !== undefined && (await readMissingAgain(changes))) return false;
    const { parts, refused } = selectOutgoing(changes.notes, known);
    for (const { id } of changes.notes) delete state.refused[id];
    for (const { id, why } of refused) state.refused[id] = why;
    for (const part of parts) {
      const isSent = await sendNew({ base: state.revision ?? 0, ...(state.mark === undefined ? {} : { mark: state.mark }), ...part });
      if (!isSent) return false;
    }
    state.cursor = changes.cursor;
    delete state.isIncomplete;
    return true;
  }

  /** Reads missing notes again after the local file was replaced. Returns whether there were any. */
  async function readMissingAgain({ notes }: NoteChanges): Promise<boolean> {
    const here = new Set(notes.map(({ id }) => id));
    const missing = [...known].filter(([id, [, hash]]) => hash !== '' && !here.has(id));
    delete state.cursor;
    for (const [id] of missing) known.delete(id);
    if (missing.length > 0) {
      delete state.revision;
      delete state.mark;
    }
    await save();
    return missing.length > 0;
  }

  let isDone = false;
  for (let round = 0; round < maxRounds && !isDone; round++) {
    if (state.pending && state.isAgreed) await send(state.pending);
    if (direction !== 'push' || round > 0 || state.revision === undefined) await pull();
    isDone = direction === 'pull' || !state.isAgreed || (await push());
  }
  counts.isUnfinished = !isDone;
  if (isDone) state.lastSyncAt = ports.now();
  await save();
  return counts;
}

/** Maximum clock difference in milliseconds between the nodes of a control plane and its database. */
const clockSlackMs = 60_000;

const rowsOf = ({ notes, tombstones }: NoteReading): (NoteRow | TombstoneRow)[] =>
  [...notes, ...tombstones].sort((one, other) => one.revision - other.revision);

function travelling(sent: { readonly key: string; readonly value?: string; readonly updatedAt?: string; readonly deletedAt?: string }): {
  readonly id: string;
  readonly value: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
} {
  const { key, value = '', deletedAt, updatedAt = deletedAt ?? '' } = sent;
  return { id: key, value, updatedAt, ...(deletedAt === undefined ? {} : { deletedAt }) };
}

function incoming(row: NoteRow | TombstoneRow, over: IncomingNote['over'], isForeign: boolean): IncomingNote {
  const ref = row.by?.email ?? '';
  const foreign = isForeign ? { isForeign: true as const } : {};
  const common = { id: row.key, ...(over ? { over } : {}), ...foreign };
  if ('deletedAt' in row) return { ...common, value: '', updatedAt: row.deletedAt, deletedAt: row.deletedAt, source: { kind: 'tool', ref: 'sync' } };
  const { value, updatedAt, source, confidence, links } = row;
  return {
    ...{ ...common, value, updatedAt },
    source: isForeign ? { kind: 'team', ref } : ((source as NoteSource | undefined) ?? { kind: 'user', ref: '' }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(links ? { links } : {}),
  };
}
