// The service: saves contents by their hash before a change, and puts them back.
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KernelError } from 'agent-harness/kernel';
import { isThere } from 'agent-harness/lib/files';
import { sha256 } from 'agent-harness/lib/hash';
import { isWithin, wayFrom } from 'agent-harness/lib/paths';
import type { Chats } from 'agent-harness/plugins/chats';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { Storage } from 'agent-harness/plugins/storage';
import type { CheckpointLogs, UndoRecord } from './checkpoint-log.ts';
import type { CheckpointContext, Checkpoints, UndoReply } from './contract.ts';
import { firstMissingFolder, isMoved, maxKeptBytes, readState, type FileState } from './file-state.ts';
import { takenOut } from './file-diff.ts';
import { listChanges } from './list-changes.ts';
import { planUndo, standingTurns, type PlannedRestore } from './plan-undo.ts';
import { readChanges } from './read-changes.ts';
import { createHunkUndo } from './undo-hunks.ts';
import type { RunningTurns } from './track-turns.ts';

export interface CheckpointParts {
  readonly services: { readonly chats: Chats; readonly storage: Storage; readonly exactFiles: ExactFiles };
  readonly logs: CheckpointLogs;
  readonly running: RunningTurns;
  error(reason: 'TURN_IN_PROGRESS' | 'NOT_FOUND' | 'ALREADY_RESOLVED' | 'TOO_LARGE' | 'CHANGED_SINCE', details: Readonly<Record<string, unknown>>): KernelError;
  announce(payload: { readonly chatId: string } & UndoReply): void;
}

type KeptFile = Pick<Extract<FileState, { kind: 'file' }>, 'content' | 'mode'>;

export function createCheckpoints(parts: CheckpointParts): Checkpoints {
  const { logs, services } = parts;
  const now = (): string => new Date().toISOString();
  const objectPath = (chatId: string, hash: string): string => join(logs.folder(chatId), 'objects', hash.slice(0, 2), hash);

  async function keep(chatId: string, hash: string, content: Buffer): Promise<void> {
    const path = objectPath(chatId, hash);
    if (!(await isThere(path))) await services.storage.writeFile(path, content);
  }

  async function announceChange(context: CheckpointContext, path: string, next: Uint8Array | null, previous?: Uint8Array | null): Promise<void> {
    const { chatId, callId } = context;
    const state = withContent(await stateToKeep(path), previous);
    if (state.kind === 'file') await keep(chatId, state.hash, state.content);
    // Without it nobody can tell later what of the file is somebody else's.
    if (state.kind === 'file' && next !== null && next.length <= maxKeptBytes) await keep(chatId, sha256(next), Buffer.from(next));
    const madeFolder = state.kind === 'none' ? await firstMissingFolder(path) : undefined;
    await logs.append(chatId, {
      kind: 'change',
      turnId: parts.running.rootTurn(chatId) ?? context.turnId,
      callId,
      path,
      before: state.kind === 'file' ? state.hash : null,
      after: next === null ? null : sha256(next),
      ...(state.kind === 'file' ? { mode: state.mode } : {}),
      ...(madeFolder === undefined ? {} : { madeFolder }),
      at: now(),
    });
  }

  async function stateToKeep(path: string): Promise<FileState> {
    const stats = await lstat(path).catch(() => undefined); // nothing there is a state like any other
    if (stats && stats.size > maxKeptBytes) throw parts.error('TOO_LARGE', { path, bytes: stats.size });
    const state = await readState(path, services.exactFiles);
    if (state.kind === 'other') throw Object.assign(new Error(`${path} is not a regular file at its own path.`), { code: 'EMOVED' });
    return state;
  }

  /** Of some files only: in every turn that changed them, the last one first, or in the turn that is named. */
  async function undoFiles(chatId: string, turnId: string | undefined, paths: readonly string[]): Promise<UndoReply> {
    const { workspaceRoot } = await services.chats.get(chatId);
    const isWanted = (path: string): boolean => paths.includes(path) || paths.includes(shownPath(workspaceRoot, path));
    const turns = turnId === undefined ? standingTurns(await logs.read(chatId), isWanted) : [turnId];
    if (turns.length === 0) throw parts.error('NOT_FOUND', { why: 'no change of these files stands' });
    let reply: UndoReply | undefined;
    for (const one of turns) {
      const { restored, conflicts } = await undoNow(chatId, one, isWanted);
      reply = {
        turnId: one,
        restored: [...new Set([...(reply?.restored ?? []), ...restored])],
        conflicts: [...new Set([...(reply?.conflicts ?? []), ...conflicts])],
      };
      // What an earlier turn left lies below what is there now.
      if (conflicts.length > 0) break;
    }
    return reply as UndoReply;
  }

  async function undoNow(chatId: string, turnId: string | undefined, isWanted?: (path: string) => boolean): Promise<UndoReply> {
    if (parts.running.isWorking(chatId)) throw parts.error('TURN_IN_PROGRESS', { chatId });
    const { workspaceRoot } = await services.chats.get(chatId);
    const plan = planUndo(await logs.read(chatId), turnId, isWanted);
    if (plan.kind === 'nothing') throw parts.error('NOT_FOUND', { why: plan.why });
    if (plan.kind === 'done') throw parts.error('ALREADY_RESOLVED', { turnId: plan.turnId });
    const restored: UndoRecord['restored'][number][] = [];
    const conflicts: string[] = [];
    for (const one of plan.restores) {
      const state = await readState(one.path, services.exactFiles);
      const hash = state.kind === 'file' ? state.hash : null;
      if (state.kind !== 'other' && hash === one.target) continue;
      const merged = state.kind === 'file' && hash !== one.expected ? await withoutTurn(chatId, one, state) : undefined;
      if (state.kind === 'other' || one.isInterrupted || (hash !== one.expected && !merged)) conflicts.push(one.path);
      else {
        // Kept as well, so that an undo loses nothing either.
        if (state.kind === 'file') await keep(chatId, state.hash, state.content);
        if (await tryRestore(chatId, one, merged)) restored.push({ path: one.path, shown: shownPath(workspaceRoot, one.path), from: hash });
        else conflicts.push(one.path);
      }
    }
    const only = isWanted ? { only: plan.restores.map(({ path }) => path) } : {};
    await logs.append(chatId, { kind: 'undo', turnId: plan.turnId, restored, conflicts, ...only, at: now() });
    return { turnId: plan.turnId, restored: restored.map((one) => one.shown), conflicts: conflicts.map((path) => shownPath(workspaceRoot, path)) };
  }

  const undoHunks = createHunkUndo({
    ...{ logs, exactFiles: services.exactFiles, error: parts.error, keep },
    shown: shownPath,
    readKept: (chatId, hash) => readFile(objectPath(chatId, hash)).catch(() => undefined), // what nobody kept cannot be compared
    undoWhole: (chatId, turnId, path) => undoFiles(chatId, turnId, [path]),
  });

  /** What a person made of the file since, without what the turn did; `undefined` where the two cannot be told apart. */
  async function withoutTurn(chatId: string, { target, expected, isInterrupted }: PlannedRestore, now: KeptFile): Promise<KeptFile | undefined> {
    if (target === null || expected === null || isInterrupted) return undefined;
    const kept = (hash: string): Promise<Buffer | undefined> => readFile(objectPath(chatId, hash)).catch(() => undefined); // what nobody kept cannot be compared
    const [before, after] = await Promise.all([kept(target), kept(expected)]);
    const content = before && after && (await takenOut(before, after, now.content));
    return content && { content, mode: now.mode };
  }

  /** False where its folder was moved, or replaced by a link, since it was looked at. */
  async function tryRestore(chatId: string, one: PlannedRestore, merged: KeptFile | undefined): Promise<boolean> {
    try {
      if (merged) await services.exactFiles.replace(one.path, merged.content, { mode: merged.mode });
      else await restore(chatId, one);
      return true;
    } catch (fault) {
      if (isMoved(fault)) return false;
      throw fault;
    }
  }

  async function restore(chatId: string, one: PlannedRestore): Promise<void> {
    if (one.target === null) {
      await services.exactFiles.remove(one.path);
      await removeEmptyFolders(dirname(one.path), one.madeFolder);
      return;
    }
    const content = await readFile(objectPath(chatId, one.target));
    await services.exactFiles.replace(one.path, content, { mode: one.mode ?? 0o644 });
  }

  /** From `folder` up to the one that the turn made, as long as they are empty. */
  async function removeEmptyFolders(folder: string, madeFolder: string | undefined): Promise<void> {
    if (madeFolder === undefined) return;
    for (let current = folder; isWithin(madeFolder, current); current = dirname(current)) {
      try {
        await services.exactFiles.removeFolder(current);
      } catch {
        return; // something else lives there by now, or it is gone
      }
    }
  }

  return {
    before: (context, path, next, previous) => logs.exclusive(context.chatId, () => announceChange(context, path, next, previous)),
    cancel: ({ chatId, callId }, path) => logs.exclusive(chatId, () => logs.append(chatId, { kind: 'cancel', callId, path, at: now() })),
    async changes(chatId, { turnId, path } = {}) {
      const { workspaceRoot } = await services.chats.peek(chatId);
      const changes = listChanges(await logs.read(chatId), turnId);
      return readChanges(changes, path, {
        exactFiles: services.exactFiles,
        objectPath: (hash) => objectPath(chatId, hash),
        shown: (one) => shownPath(workspaceRoot, one),
      });
    },
    async undo(chatId, turnId, paths) {
      const reply = await logs.exclusive(chatId, () => (paths ? undoFiles(chatId, turnId, paths) : undoNow(chatId, turnId)));
      parts.announce({ chatId, ...reply });
      return reply;
    },
    async undoHunks(chatId, which, hunks) {
      const reply = await logs.exclusive(chatId, async () => {
        if (parts.running.isWorking(chatId)) throw parts.error('TURN_IN_PROGRESS', { chatId });
        const { workspaceRoot } = await services.chats.get(chatId);
        return undoHunks(chatId, workspaceRoot, which, hunks);
      });
      parts.announce({ chatId, ...reply });
      return reply;
    },
  };
}

function withContent(state: FileState, previous: Uint8Array | null | undefined): FileState {
  if (previous === null) return { kind: 'none' };
  if (previous === undefined || state.kind !== 'file') return state;
  return { ...state, content: Buffer.from(previous), hash: sha256(previous) };
}

function shownPath(workspaceRoot: string, path: string): string {
  return isWithin(workspaceRoot, path) ? wayFrom(workspaceRoot, path) : path;
}
