// Implements the service `checkpoints`: stores contents before they change, and restores them.
import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import type { KernelError } from 'agent-harness/kernel';
import { codeOf, messageOf } from '#lib/errors';
import { sha256 } from '#lib/hash';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { ChangeRecord, CheckpointLogs, IntentRecord, LogRecord, UndoRecord } from './checkpoint-log.ts';
import type { CheckpointContext, Checkpoints, RestoredState, UndoOptions, UndoPlace, UndoReply } from './contract.ts';
import { firstMissingFolder, maxKeptBytes, readState, type FileState } from './file-state.ts';
import { compareContents } from './file-diff.ts';
import { listChanges } from './list-changes.ts';
import { createObjects } from './objects.ts';
import type { WorkspaceComparer } from './compare-workspace.ts';
import { createOpenChangeMarkers } from './open-change-markers.ts';
import { irreversibleEffectsOf } from './irreversible-effects.ts';
import { createPlaces } from './places.ts';
import { createStepPlanner, planRedo } from './plan-steps.ts';
import { lastTurnOf, planUndo, standingTurns } from './plan-undo.ts';
import { readTurnIds } from './read-turn-ids.ts';
import { readChanges } from './read-changes.ts';
import { createStateTracker, type StateTracker } from './track-state.ts';
import type { RunningTurns } from './track-turns.ts';
import { createHunkUndo } from './undo-hunks.ts';
import { replyOf } from './undo-reply.ts';
import { createTransactions, type DoneUndo } from './undo-transaction.ts';
import type { Undoables } from './undoables.ts';

export interface CheckpointParts {
  readonly services: {
    readonly chats: Chats;
    readonly eventLog: Pick<EventLog, 'read'>;
    readonly storage: Storage;
    readonly exactFiles: ExactFiles;
    readonly product: Product;
  };
  readonly logs: CheckpointLogs;
  readonly running: RunningTurns;
  readonly undoables: Undoables;
  readonly comparer: WorkspaceComparer;
  error(reason: 'TURN_IN_PROGRESS' | 'NOT_FOUND' | 'ALREADY_RESOLVED' | 'TOO_LARGE' | 'CHANGED_SINCE', details: Readonly<Record<string, unknown>>): KernelError;
  announce(payload: { readonly chatId: string; readonly isRedo?: true } & UndoOptions & RestoredState): void;
  warn(text: string): void;
}

export interface OwnedCheckpoints extends Checkpoints, Pick<StateTracker, 'around' | 'within'> {
  /** Completes, in all chats, unfinished operations of a process that has exited. */
  recover(): Promise<void>;
  /** Removes the references to an erased chat outside its folder. */
  forget(chatId: string): void;
}

const nothing: FileState = { kind: 'none' };
/** Maximum number of files that are stored concurrently. */
const atOnce = 16;

export function createCheckpoints(parts: CheckpointParts): OwnedCheckpoints {
  const { logs, services, running, undoables, warn } = parts;
  const { chats, eventLog, storage, exactFiles, product } = services;
  const now = (): string => new Date().toISOString();
  const objects = createObjects(logs.folder, storage);
  const places = createPlaces(exactFiles, undoables, (name, fault) => warn(`state '${name}' cannot be used: ${messageOf(fault)}`));
  const marks = createOpenChangeMarkers(product.home, storage.atOnce);
  const transactions = createTransactions({ logs, places, objects, marks, warn });
  const placeOf = async (chatId: string): Promise<UndoPlace> => {
    const { workspaceRoot } = await chats.get(chatId);
    return { chatId, workspaceRoot };
  };
  const tracker = createStateTracker({ logs, objects, places, undoables, marks, comparer: parts.comparer, running, placeOf, warn });

  /** Stores the current content. Returns the log record for the change. */
  async function readyToChange(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<ChangeRecord> {
    const { chatId, callId } = context;
    const state = previous === null ? nothing : withContent(await stateToKeep(path), previous);
    if (state.kind === 'file') await objects.keep(chatId, state.hash, state.content);
    // The stored content is needed to merge later changes by others. If a power failure loses it, nothing else is lost: these changes stay, and the undo skips
    // the file.
    if (state.kind === 'file' && next !== null && next.length <= maxKeptBytes) await objects.keep(chatId, sha256(next), next, { isFlushed: false });
    const madeFolder = state.kind === 'none' ? await firstMissingFolder(path) : undefined;
    return {
      kind: 'change',
      turnId: running.rootTurn(chatId) ?? context.turnId,
      callId,
      path,
      before: state.kind === 'file' ? state.hash : null,
      after: next === null ? null : sha256(next),
      ...(state.kind === 'file' ? { mode: state.mode } : {}),
      ...(madeFolder === undefined ? {} : { madeFolder }),
      at: now(),
    };
  }

  async function announceAll(context: CheckpointContext, changes: Parameters<Checkpoints['beforeAll']>[1]): Promise<void> {
    const records: ChangeRecord[] = [];
    for (let at = 0; at < changes.length; at += atOnce)
      records.push(...(await Promise.all(changes.slice(at, at + atOnce).map(({ path, next, previous }) => readyToChange(context, path, next, previous)))));
    if (records.length > 0) await logs.append(context.chatId, ...records);
  }

  async function stateToKeep(path: string): Promise<FileState> {
    const stats = await lstat(path).catch(() => undefined); // a missing file is a valid state
    if (stats && stats.size > maxKeptBytes) throw parts.error('TOO_LARGE', { path, bytes: stats.size });
    const state = await readState(path, exactFiles);
    if (state.kind === 'other') throw Object.assign(new Error(`${path} is not a regular file at its own path.`), { code: 'EMOVED' });
    return state;
  }

  /** Starts an operation after completing unfinished operations of a process that has exited. */
  async function begin(chatId: string): Promise<UndoPlace> {
    if (running.isWorking(chatId)) throw parts.error('TURN_IN_PROGRESS', { chatId });
    const place = await placeOf(chatId);
    await settle(place);
    return place;
  }

  async function settle(place: UndoPlace): Promise<void> {
    for (const done of await transactions.finish(place)) await tell(place, done);
    await tracker.settleLeft(place);
  }

  /** Undoes a turn, by default the last one. @param paths the only paths to undo; if no turn is given, in all turns that changed them, newest first */
  async function undoNow(chatId: string, turnId: string | undefined, paths: readonly string[] | undefined, options?: UndoOptions): Promise<UndoReply> {
    const place = await begin(chatId);
    const isWanted = paths && ((path: string): boolean => paths.includes(path) || paths.includes(places.shown(place, path)));
    const records = await logs.read(chatId);
    if (turnId === undefined && !isWanted) return undoLast(place, records, options);
    const turns = turnId === undefined && isWanted ? standingTurns(records, isWanted) : [turnId ?? ''];
    if (turns.length === 0) throw parts.error('NOT_FOUND', { why: 'these files have no change that can be undone' });
    const planner = createStepPlanner(place, places, objects, { mayKeep: true });
    const id = `intent_${randomUUID()}`;
    const undos: UndoRecord[] = [];
    for (const one of turns) {
      const plan = planUndo(records, one, isWanted);
      if (plan.kind === 'nothing') throw parts.error('NOT_FOUND', { why: plan.why });
      if (plan.kind === 'done') throw parts.error('ALREADY_RESOLVED', { turnId: plan.turnId });
      const part = await planner.plan(plan.restores);
      const only = isWanted ? { only: plan.restores.map(({ path }) => path) } : {};
      undos.push({ kind: 'undo', turnId: plan.turnId, ...part, ...only, intent: id, at: now() });
      // The current content depends on the changes of earlier turns.
      if (part.conflicts.length > 0) break;
    }
    return tell(place, await transactions.run(place, { kind: 'intent', id, steps: planner.steps(), undos, at: now() }), options);
  }

  async function undoLast(place: UndoPlace, records: readonly LogRecord[], options?: UndoOptions): Promise<UndoReply> {
    const last = lastTurnOf(records, await readTurnIds(eventLog.read(place.chatId), records));
    if (!last)
      throw parts.error('NOT_FOUND', { why: records.length === 0 ? 'no turn of this chat has run a tool or a model' : 'all turns are already undone' });
    const { turnId, plan, previous } = last;
    if (plan) return undoNow(place.chatId, turnId, undefined, options);
    const files = previous?.restores.map(({ path, label }) => places.shown(place, path, label)) ?? [];
    return {
      ...{ ok: false, turnId, restored: [], conflicts: [], restoredState: [], stateConflicts: [], merged: [] },
      notUndone: irreversibleEffectsOf(records, new Set([turnId])),
      ...(previous ? { previous: { turnId: previous.turnId, files } } : {}),
    };
  }

  async function redoNow(chatId: string, options?: UndoOptions): Promise<UndoReply> {
    const place = await begin(chatId);
    const plan = planRedo(await logs.read(chatId));
    if (!plan) throw parts.error('NOT_FOUND', { why: 'there is no undo to revert' });
    const planner = createStepPlanner(place, places, objects, { mayKeep: true });
    const { conflicts } = await planner.plan(plan.restores);
    const all = plan.restores.map(({ path }) => path);
    if (conflicts.length === all.length) {
      const [path = ''] = all;
      throw parts.error('CHANGED_SINCE', { path: places.shown(place, path, plan.restores[0]?.label) });
    }
    const intent: IntentRecord = {
      ...{ kind: 'intent', id: `intent_${randomUUID()}`, steps: planner.steps(), undos: [], redoes: plan.intent, conflicts, turnId: plan.turnId, at: now() },
    };
    return tell(place, await transactions.run(place, intent), options);
  }

  function announce(
    head: Pick<Parameters<CheckpointParts['announce']>[0], 'chatId' | 'isRedo' | 'isSaid'>,
    { ok: _, previous: __, ...restored }: UndoReply,
  ): void {
    parts.announce({ ...head, ...restored });
  }

  async function tell(place: UndoPlace, done: DoneUndo, options?: UndoOptions): Promise<UndoReply> {
    const records = await logs.read(place.chatId);
    const reply = replyOf(done, records, (path, label) => places.shown(place, path, label));
    announce({ chatId: place.chatId, ...(done.intent.redoes === undefined ? {} : { isRedo: true }), ...options }, reply);
    return reply;
  }

  const undoHunks = createHunkUndo({
    ...{ logs, exactFiles, error: parts.error, keep: objects.keep, readKept: objects.read },
    shown: (workspaceRoot, path) => places.shown({ chatId: '', workspaceRoot }, path),
    undoWhole: (chatId, turnId, path) => undoNow(chatId, turnId, [path]),
  });

  return {
    around: tracker.around,
    within: tracker.within,
    changing: tracker.changing,
    before: (context, path, next, previous) =>
      logs.exclusive(context.chatId, async () => logs.append(context.chatId, await readyToChange(context, path, next, previous))),
    beforeAll: (context, changes) => logs.exclusive(context.chatId, () => announceAll(context, changes)),
    compare(path, before, after) {
      const [from, to] = [before ?? new Uint8Array(), after ?? new Uint8Array()].map((one) => Buffer.from(one.buffer, one.byteOffset, one.length)) as [
        Buffer,
        Buffer,
      ];
      return compareContents(from, to, { before: before === null ? undefined : path, after: after === null ? undefined : path });
    },
    contained: ({ chatId, turnId, callId }) =>
      logs.exclusive(chatId, () => logs.jot(chatId, { kind: 'contained', turnId: running.rootTurn(chatId) ?? turnId, callId, at: now() })),
    cancel: ({ chatId, callId }, path) => logs.exclusive(chatId, () => logs.append(chatId, { kind: 'cancel', callId, path, at: now() })),
    undo: (chatId, turnId, paths, options) => logs.exclusive(chatId, () => undoNow(chatId, turnId, paths, options)),
    redo: (chatId, options) => logs.exclusive(chatId, () => redoNow(chatId, options)),
    async undoHunks(chatId, which, hunks) {
      return logs.exclusive(chatId, async () => {
        const place = await begin(chatId);
        const { reply, isTold } = await undoHunks(place, which, hunks);
        if (!isTold) announce({ chatId }, reply);
        return reply;
      });
    },
    async changes(chatId, { turnId, path } = {}) {
      const { workspaceRoot } = await chats.peek(chatId);
      const place = { chatId, workspaceRoot };
      const records = await logs.read(chatId);
      const changes = listChanges(records, turnId);
      const read = await readChanges(changes, path, { place, places, objects, exactFiles });
      return {
        ...read,
        outside: turnId === undefined ? [] : irreversibleEffectsOf(records, new Set([turnId])).filter(({ callId }) => !tracker.isComparing(callId)),
      };
    },
    async recover() {
      for (const chatId of marks.list()) {
        // Skips files whose name is not a chat id.
        if (!storage.isId('chat', chatId)) continue;
        try {
          await logs.exclusive(chatId, async () => settle(await placeOf(chatId)));
        } catch (fault) {
          // The chat was deleted while no server was running, so there is nothing to complete. If the chat is restored, the next undo checks it.
          if (codeOf(fault) === 'CHATS_ERR_NOT_FOUND') marks.clear(chatId);
          else warn(`the unfinished change or undo in ${chatId} could not be completed: ${messageOf(fault)}`);
        }
      }
    },
    forget: marks.clear,
  };
}

function withContent(state: FileState, previous: Uint8Array | undefined): FileState {
  if (previous === undefined || state.kind !== 'file') return state;
  return { ...state, content: Buffer.from(previous), hash: sha256(previous) };
}
