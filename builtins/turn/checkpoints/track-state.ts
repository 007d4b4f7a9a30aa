// Tracks changes of plugin state: stores the state before and after each change, and attributes the change to a call.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { messageOf } from '#lib/errors';
import type { GrantedCall, ToolOutcome } from 'agent-harness/plugins/tools';
import { sha256 } from '#lib/hash';
import type { ChangeRecord, CheckpointLogs, LogRecord } from './checkpoint-log.ts';
import type { Comparison, WorkspaceComparer } from './compare-workspace.ts';
import type { CheckpointContext, StateContext, UndoPlace } from './contract.ts';
import type { OpenChangeMarkers } from './open-change-markers.ts';
import { effectOf } from './irreversible-effects.ts';
import type { KeptObjects } from './objects.ts';
import { stateId, type Places } from './places.ts';
import { carriedOut } from './plan-undo.ts';
import type { RunningTurns } from './track-turns.ts';
import type { KeptUndoable, Undoables } from './undoables.ts';

export interface StateTrackerParts {
  readonly logs: CheckpointLogs;
  readonly objects: KeptObjects;
  readonly places: Places;
  readonly undoables: Undoables;
  readonly marks: OpenChangeMarkers;
  readonly comparer: WorkspaceComparer;
  readonly running: RunningTurns;
  placeOf(chatId: string): Promise<UndoPlace>;
  warn(text: string): void;
}

export interface StateTracker {
  changing<T>(context: StateContext, name: string, keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Wraps the function that runs a call. */
  around(run: () => Promise<ToolOutcome>, call: GrantedCall): () => Promise<ToolOutcome>;
  /** Tracks state that the current hook is about to change. The change is attributed to the running call until the call ends. */
  within(name: string, keys: () => Promise<readonly string[]>): Promise<void>;
  /** Returns whether the changes of a call are not compared yet, so that its effects are unknown. */
  isComparing(callId: string): boolean;
  /**
   * Completes the changes that a process left open when it exited, using the current state. Contract: the caller holds the exclusive lock of the chat's log.
   */
  settleLeft(place: UndoPlace): Promise<void>;
}

/** Ends the comparison. */
type Comparing = () => Promise<void>;

interface RunningCall extends CheckpointContext {
  /** Ids of the states that the call is currently changing. */
  readonly open: Set<string>;
}

export function createStateTracker({ logs, objects, places, undoables, marks, comparer, running, placeOf, warn }: StateTrackerParts): StateTracker {
  const calls = new AsyncLocalStorage<RunningCall>();
  /** Open changes of this process, by chat, as `callId path`. */
  const unsettled = new Map<string, Set<string>>();
  /** Ids of running calls whose changes will be compared. */
  const comparing = new Set<string>();
  const now = (): string => new Date().toISOString();

  async function open(call: RunningCall, one: KeptUndoable, keys: readonly string[]): Promise<void> {
    const { chatId, turnId, callId } = call;
    const place = await placeOf(chatId);
    const wanted = keys.map((key) => ({ key, path: stateId(one.name, key) })).filter(({ path }) => !call.open.has(path));
    if (wanted.length === 0) return;
    await logs.exclusive(chatId, async () => {
      const records: ChangeRecord[] = [];
      for (const { key, path } of wanted) {
        const state = await places.read(place, path);
        if (state.kind === 'other') throw new Error(`${one.label(key)} cannot be read, so a change could not be undone. Nothing was changed.`);
        if (state.kind === 'file') await objects.keep(chatId, state.hash, state.content);
        const before = state.kind === 'file' ? state.hash : null;
        records.push({ kind: 'change', turnId, callId, path, before, after: null, label: one.label(key), isOpen: true, at: now() });
      }
      const opened = unsettled.get(chatId) ?? new Set();
      if (opened.size === 0) marks.set(chatId);
      unsettled.set(chatId, opened);
      for (const { path } of wanted) opened.add(`${callId} ${path}`);
      await logs.append(chatId, ...records);
      for (const { path } of wanted) call.open.add(path);
    });
  }

  async function settle({ chatId, callId, open: paths }: RunningCall): Promise<void> {
    if (paths.size === 0) return;
    try {
      const place = await placeOf(chatId);
      await logs.exclusive(chatId, async () => {
        const opened = unsettled.get(chatId);
        const before = new Map(carriedOut(await logs.read(chatId)).map((change) => [`${change.callId} ${change.path}`, change.before]));
        for (const path of paths) {
          await settleOne(place, callId, path, before.get(`${callId} ${path}`) ?? null);
          opened?.delete(`${callId} ${path}`);
        }
        if (opened?.size === 0) closeChat(chatId);
      });
    } catch (fault) {
      // The change stays open, so an undo skips it.
      warn(`the state after call ${callId} could not be stored: ${messageOf(fault)}`);
    }
  }

  async function settleOne(place: UndoPlace, callId: string, path: string, before: string | null): Promise<void> {
    const { chatId } = place;
    const state = await places.read(place, path);
    if (state.kind === 'other') return;
    const after = state.kind === 'file' ? state.hash : null;
    if (state.kind === 'file' && after !== before) await objects.keep(chatId, state.hash, state.content);
    // Not flushed: if a power failure loses the record, the change is open again and will be completed again.
    await logs.jot(chatId, after === before ? { kind: 'cancel', callId, path, at: now() } : { kind: 'settled', callId, path, after });
  }

  function closeChat(chatId: string): void {
    unsettled.delete(chatId);
    marks.clear(chatId);
  }

  /** Records the changes that a command made. @param outside record of the call, if some changes are not tracked */
  async function recordChanges({ chatId, turnId, callId }: RunningCall, { changes, isPartial }: Comparison, since: number, outside: LogRecord): Promise<void> {
    await logs.exclusive(chatId, async () => {
      const known = new Map(carriedOut((await logs.read(chatId)).slice(since)).map((change) => [change.path, change.after]));
      const records: LogRecord[] = [];
      for (const { path, before: old, after: left, mode, madeFolder } of changes) {
        const after = left && sha256(left);
        // Another call has announced its own change of the file in the meantime.
        const before = known.has(path) ? (known.get(path) ?? null) : old && sha256(old);
        if (before === after) continue;
        if (old) await objects.keep(chatId, sha256(old), old);
        if (left && after) await objects.keep(chatId, after, left, { isFlushed: false });
        const made = { ...(mode === undefined ? {} : { mode }), ...(madeFolder === undefined ? {} : { madeFolder }) };
        records.push({ kind: 'change', turnId, callId, path, before, after, ...made, at: now() });
      }
      if (isPartial) records.push(outside);
      if (records.length > 0) await logs.append(chatId, ...records);
    });
  }

  /** @returns the function that ends the comparison, for a call whose tool requests one */
  async function beginComparison({ tool, instead, workspaceRoot }: GrantedCall, own: RunningCall, outside: LogRecord): Promise<Comparing | undefined> {
    if (tool.undo !== 'compare' || instead) return undefined;
    const fail = (fault: unknown): void => warn(`the workspace changes of call ${own.callId} cannot be undone: ${messageOf(fault)}`);
    try {
      const since = (await logs.read(own.chatId)).length;
      const end = await comparer.begin(workspaceRoot);
      return () =>
        end()
          .then((comparison) => recordChanges(own, comparison, since, outside))
          .catch(fail);
    } catch (fault) {
      fail(fault);
      return () => recordChanges(own, { changes: [], isPartial: true }, 0, outside).catch(fail);
    }
  }

  async function watch(call: GrantedCall, run: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const { callId, tool, chatId, turnId } = call;
    const own: RunningCall = { chatId, turnId: running.rootTurn(chatId) ?? turnId, callId, open: new Set() };
    const effect = effectOf(call);
    const outside = effect && ({ kind: 'outside', turnId: own.turnId, ...effect, at: now() } satisfies LogRecord);
    if (outside) await logs.exclusive(chatId, () => logs.jot(chatId, outside));
    const watched = isReading(call) ? [] : undoables.watchedOf(tool.plugin);
    if (watched.length > 0) {
      const place = await placeOf(chatId);
      for (const one of watched) await open(own, one, (await one.keys?.(place)) ?? []);
    }
    const compared = outside && (await beginComparison(call, own, { ...outside, isPartial: true }));
    if (compared) comparing.add(callId);
    return calls.run(own, async () => {
      try {
        return await run();
      } finally {
        await compared?.();
        comparing.delete(callId);
        await settle(own);
      }
    });
  }

  return {
    around: (run, call) => () => watch(call, run),
    async changing(context, name, keys, work) {
      const { chatId } = context;
      const one = undoables.find(name);
      const call = calls.getStore();
      const turnId = context.turnId ?? (call?.chatId === chatId ? call.turnId : running.rootTurn(chatId));
      if (!one || turnId === undefined) return work();
      const own: RunningCall = { chatId, turnId, callId: `${context.callId ?? call?.callId ?? name}`, open: new Set() };
      // One call may change the same state repeatedly, so each change has its own id unless the running call is tracked itself.
      const single = { ...own, callId: call?.callId === own.callId ? own.callId : `${own.callId} ${randomUUID()}` };
      await open(single, one, keys);
      try {
        return await work();
      } finally {
        await settle(single);
      }
    },
    async within(name, keys) {
      const call = calls.getStore();
      const one = undoables.find(name);
      if (call && one) await open(call, one, await keys());
    },
    isComparing: (callId) => comparing.has(callId),
    async settleLeft(place) {
      const { chatId } = place;
      const opened = unsettled.get(chatId);
      for (const { callId, path, before, isOpen } of carriedOut(await logs.read(chatId))) {
        if (isOpen && opened?.has(`${callId} ${path}`) !== true) await settleOne(place, callId, path, before);
      }
      if (!opened) marks.clear(chatId);
    },
  };
}

/** Returns whether the tool declares that it changes nothing. */
function isReading({ tool: { effects = [] } }: GrantedCall): boolean {
  return effects.length > 0 && effects.every((effect) => effect === 'read');
}
