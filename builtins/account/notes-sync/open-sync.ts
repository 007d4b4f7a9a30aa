// Implements the notes sync service: manages known sets, runs one sync at a time per set, and emits events.
import { relative } from 'node:path';
import type { Emitter, Services } from 'agent-harness/kernel';
import { createSerialQueues } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { NoteVersion } from 'agent-harness/builtins/control-plane/plane-notes';
import type { StoredConflict, NotesSync, SyncOptions, SyncPlace, SyncPreview, SyncReport, SyncSetState, SyncTarget } from './contract.ts';
import { selectOutgoing } from './outgoing.ts';
import { createPlaneCopy } from './plane-copy.ts';
import { firstTimeText } from './first-time.ts';
import { createSetFiles, type SetName } from './set-file.ts';
import type { SetRecord } from './set-state.ts';
import { syncSet, type Replica } from './sync-set.ts';

export interface SyncParts {
  readonly services: Pick<Services, 'notes' | 'controlPlane' | 'hubSite' | 'license' | 'storage' | 'chats' | 'product'>;
  /** Folder of the stored state. */
  readonly folder: string;
  readonly emitter: Emitter;
  readonly signal: AbortSignal;
  /** Read on every use. */
  targets(): readonly SyncTarget[];
}

export interface OpenNotesSync extends Omit<NotesSync, 'offer'> {
  /** Returns the versions of a note on the control plane. */
  history(target: SyncTarget, workspace: string, key: string): Promise<readonly NoteVersion[]>;
  /** Resolves a conflict: restores the discarded text or deletes it. Returns `undefined` if the conflict does not exist. */
  settle(choice: ConflictChoice): Promise<SyncReport | undefined>;
  /** Resolves when no sync is running. */
  idle(): Promise<void>;
}

export interface ConflictChoice extends Pick<StoredConflict, 'at' | 'id' | 'side'> {
  readonly target: SyncTarget;
  readonly workspace: string;
  /** Whether to restore the discarded text; otherwise it is deleted. */
  readonly isUsed: boolean;
}

/** Maximum number of notes in a preview. */
const maxPreviewed = 200;

export function openNotesSync({ services, folder, emitter, signal, targets }: SyncParts): OpenNotesSync {
  const { notes, controlPlane, hubSite, license, storage, chats, product } = services;
  const files = createSetFiles(storage, folder);
  const queues = createSerialQueues<string>();
  /** Reason for the last failed sync, by set. */
  const problems = new Map<string, string>();

  async function accountNow(): Promise<{ readonly key: string; readonly email: string }> {
    const { org = '' } = await license.ready();
    const email = license.account()?.email ?? '';
    return { email, key: JSON.stringify([hubSite.controlPlane(), org, email]) };
  }

  const nameOf = (account: string, target: SyncTarget, { workspace, set }: SyncPlace): SetName => ({
    ...{ account, target: target.name, workspace },
    ...(set.scope === 'workspace' ? { workspaceRoot: set.workspaceRoot } : {}),
  });

  const setOf = ({ workspaceRoot }: SetName): SyncPlace['set'] => (workspaceRoot === undefined ? { scope: 'global' } : { scope: 'workspace', workspaceRoot });

  const replicaOf = (set: SyncPlace['set']): Replica => ({
    changes: (since) => notes.changes(set, since),
    merge: (incoming, since) => notes.merge(set, incoming, since),
  });

  async function isAgreed(name: SetName, { state }: SetRecord): Promise<boolean> {
    return state.isAgreed && (await files.owner(name)) === name.account;
  }

  async function outgoing(name: SetName, { state, known }: SetRecord): Promise<ReturnType<typeof selectOutgoing>> {
    const changes = await notes.changes(setOf(name), state.isIncomplete ? undefined : state.cursor);
    return selectOutgoing(changes.notes, known);
  }

  async function describe(name: SetName, record: SetRecord): Promise<SyncSetState> {
    const { revision = 0, lastSyncAt, conflicts, refused } = record.state;
    const problem = problems.get(files.path(name));
    const { parts } = await outgoing(name, record);
    return {
      ...{ target: name.target, workspace: name.workspace, revision, conflicts },
      ...(name.workspaceRoot === undefined ? {} : { workspaceRoot: name.workspaceRoot }),
      isAgreed: await isAgreed(name, record),
      pending: parts.reduce((sum, { upserts, tombstones }) => sum + upserts.length + tombstones.length, 0),
      ...(lastSyncAt === undefined ? {} : { lastSyncAt }),
      ...(problem === undefined ? {} : { problem }),
      refused: Object.entries(refused).map(([id, why]) => ({ id, why })),
    };
  }

  async function agree(name: SetName, record: SetRecord, { isAsked = false, isWanted = false }: SyncOptions): Promise<void> {
    const owner = await files.owner(name);
    const isTheirs = owner === name.account;
    if (record.state.isAgreed && isTheirs) return;
    record.state.isAgreed = isAsked || (isWanted && owner === undefined);
    if (!record.state.isAgreed) return;
    // Changes sent under another account belong to that account, so all notes are checked again.
    if (!isTheirs) record.state.isIncomplete = true;
    await files.own(name);
    // Stores the user's agreement before the sync, so that it holds even if the control plane is unreachable.
    await files.write(name, record);
  }

  async function runOne(target: SyncTarget, place: SyncPlace, options: SyncOptions): Promise<SyncReport> {
    signal.throwIfAborted();
    const { key: account, email } = await accountNow();
    const name = nameOf(account, target, place);
    const path = files.path(name);
    const stop = AbortSignal.any([signal, ...(options.signal ? [options.signal] : [])]);
    const lock = await storage.lock(path);
    try {
      const record = await files.read(name);
      const counts = { pulled: 0, pushed: 0, conflicts: record.state.conflicts.length };
      try {
        await agree(name, record, options);
        const done = await syncSet(
          {
            ...{ replica: replicaOf(place.set), record, createClientId: files.createClientId },
            plane: createPlaneCopy(controlPlane, target.path, place.workspace, stop),
            save: () => files.write(name, record),
            isForeign: ({ by }) => target.isShared && by?.email !== email,
            now: () => new Date().toISOString(),
          },
          options.direction ?? 'both',
        );
        Object.assign(counts, { pulled: done.pulled, pushed: done.pushed });
        if (done.isUnfinished) problems.set(path, 'Other clients keep changing the same notes. The next sync continues.');
        else problems.delete(path);
      } catch (fault) {
        stop.throwIfAborted();
        problems.set(path, messageOf(fault));
      }
      const problem = problems.get(path);
      const conflicts = Math.max(0, record.state.conflicts.length - counts.conflicts);
      emitter.emit('notes_synced', {
        ...{ target: target.name, workspace: place.workspace, pulled: counts.pulled, pushed: counts.pushed, conflicts },
        ...(problem === undefined ? {} : { problem }),
      });
      return { ...(await describe(name, record)), pulled: counts.pulled, pushed: counts.pushed };
    } finally {
      await lock.dispose();
    }
  }

  async function preview(target: SyncTarget, place: SyncPlace): Promise<SyncPreview> {
    const name = nameOf((await accountNow()).key, target, place);
    const record = await files.read(name);
    const { parts, refused } = await outgoing(name, record);
    const all = parts.flatMap(({ upserts, tombstones }) => [
      ...upserts.map(({ key, value }) => ({ id: key, isDeletion: false, characters: value.length })),
      ...tombstones.map(({ key }) => ({ id: key, isDeletion: true, characters: 0 })),
    ]);
    return {
      ...{ workspace: place.workspace, notes: all.slice(-maxPreviewed), total: all.length, refused, isAgreed: await isAgreed(name, record) },
      characters: all.reduce((sum, { characters }) => sum + characters, 0),
    };
  }

  async function placesOf(target: SyncTarget, chatId: string): Promise<readonly SyncPlace[]> {
    const { workspaceFingerprint: workspace, workspaceRoot } = await chats.get(chatId);
    const places: SyncPlace[] = target.isShared ? [] : [{ workspace: 'global', set: { scope: 'global' } }];
    // A path fingerprint identifies the same folder only for the same user. A folder inside `product.home` belongs to a single chat.
    const isOwn = !relative(product.home, workspaceRoot).startsWith('..');
    const isKnown = workspace.startsWith('git:') || (workspace.startsWith('path:') && !target.isShared);
    if (isKnown && !isOwn) places.push({ workspace, set: { scope: 'workspace', workspaceRoot } });
    return places;
  }

  return {
    run: (target, place, options = {}) => queues.run(`${target.name} ${place.workspace}`, () => runOne(target, place, options)),
    preview,
    placesOf,
    async firstTime(target, chatId) {
      const previews = await Promise.all((await placesOf(target, chatId)).map((place) => preview(target, place)));
      return firstTimeText(target, previews);
    },
    async state() {
      const { key, email } = await accountNow();
      if (email === '') return [];
      const offered = new Set(targets().map(({ name }) => name));
      const sets = (await files.list(key)).filter(({ target }) => offered.has(target));
      return Promise.all(sets.map(({ record, ...name }) => describe(name, record)));
    },
    async stop(target, place) {
      const name = nameOf((await accountNow()).key, target, place);
      await queues.run(`${target.name} ${place.workspace}`, async () => {
        const record = await files.read(name);
        record.state.isAgreed = false;
        await files.write(name, record);
      });
    },
    async settle({ target, workspace, isUsed, ...one }) {
      const { key } = await accountNow();
      const found = (await files.list(key)).find((set) => set.target === target.name && set.workspace === workspace);
      if (!found) return undefined;
      const { record: _, ...name } = found;
      const place: SyncPlace = { workspace, set: setOf(name) };
      const isThere = await queues.run(`${target.name} ${workspace}`, async () => {
        const lock = await storage.lock(files.path(name));
        try {
          const record = await files.read(name);
          const conflict = record.state.conflicts.find(({ at, id, side }) => at === one.at && id === one.id && side === one.side);
          if (!conflict) return false;
          if (isUsed) {
            // Must be later than the current version, even if the clock of that version's writer is ahead.
            const currentTime = Date.parse(record.known.get(conflict.id)?.[0] ?? '');
            const updatedAt = new Date(Math.max(Date.now(), Number.isNaN(currentTime) ? 0 : currentTime + 1)).toISOString();
            await notes.merge(place.set, [{ id: conflict.id, value: conflict.value, updatedAt, source: { kind: 'user', ref: 'sync' } }]);
          }
          record.state.conflicts = record.state.conflicts.filter((other) => other !== conflict);
          await files.write(name, record);
          return true;
        } finally {
          await lock.dispose();
        }
      });
      return isThere ? queues.run(`${target.name} ${workspace}`, () => runOne(target, place, {})) : undefined;
    },
    idle: () => queues.idle(),
    history: (target, workspace, key) => createPlaneCopy(controlPlane, target.path, workspace, signal).history(key),
  };
}
