// Undoes selected hunks of a file: exactly the hunks that the user saw, or nothing.
import { randomUUID } from 'node:crypto';
import type { KernelError } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { ChangeRecord, CheckpointLogs } from './checkpoint-log.ts';
import type { UndoPlace, UndoReply } from './contract.ts';
import { withoutHunks } from './file-diff.ts';
import { isMoved, readState } from './file-state.ts';
import { listChanges } from './list-changes.ts';
import { isStateId } from './places.ts';
import { canSplit } from './read-changes.ts';

export interface HunkUndoParts {
  readonly logs: Pick<CheckpointLogs, 'read' | 'append'>;
  readonly exactFiles: ExactFiles;
  error(reason: 'NOT_FOUND' | 'CHANGED_SINCE', details: Readonly<Record<string, unknown>>): KernelError;
  /** Returns stored content; `undefined` if it is missing. */
  readKept(chatId: string, hash: string): Promise<Buffer | undefined>;
  keep(chatId: string, hash: string, content: Buffer): Promise<void>;
  /** Returns the display path. */
  shown(workspaceRoot: string, path: string): string;
  /** Undoes the whole file; used if no hunk would remain. */
  undoWhole(chatId: string, turnId: string | undefined, path: string): Promise<UndoReply>;
}

type UndoHunks = (
  place: UndoPlace,
  which: { readonly turnId?: string; readonly path: string },
  hunks: readonly string[],
) => Promise<{ readonly reply: UndoReply; /** Whether the undo was already announced. */ readonly isTold: boolean }>;

/** Creates the function that undoes hunks. Contract: the caller holds the exclusive lock of the chat's log. */
export function createHunkUndo({ logs, exactFiles, error, readKept, keep, shown, undoWhole }: HunkUndoParts): UndoHunks {
  return async ({ chatId, workspaceRoot }, { turnId, path }, hunks) => {
    const changes = listChanges(await logs.read(chatId), turnId).filter((one) => !isStateId(one.path));
    const change = changes.find((one) => one.path === path || shown(workspaceRoot, one.path) === path);
    if (!change) throw error('NOT_FOUND', { why: `no change of ${path} stands` });
    const changedSince = (): KernelError => error('CHANGED_SINCE', { path });

    const state = await readState(change.path, exactFiles);
    const before = change.before === null ? undefined : await readKept(chatId, change.before);
    if (!canSplit(change) || state.kind !== 'file' || state.hash !== change.after || !before) throw changedSince();
    const left = await withoutHunks(before, state.content, hunks);
    if (!left) throw changedSince();
    if (left.equals(before)) return { reply: await undoWhole(chatId, turnId, change.path), isTold: true };

    // Recorded as a change by that turn, so that the other hunks can be undone as usual and undoing this change loses nothing.
    await keep(chatId, state.hash, state.content);
    const name = shown(workspaceRoot, change.path);
    const record: ChangeRecord = {
      ...{ kind: 'change', turnId: change.turnId, callId: `undo_${randomUUID()}`, path: change.path },
      ...{ before: state.hash, after: sha256(left), mode: state.mode, takenBack: name, at: new Date().toISOString() },
    };
    await logs.append(chatId, record);
    try {
      await exactFiles.replace(change.path, left, { mode: state.mode });
    } catch (fault) {
      await logs.append(chatId, { kind: 'cancel', callId: record.callId, path: record.path, at: new Date().toISOString() });
      throw isMoved(fault) ? changedSince() : fault;
    }
    const none = { conflicts: [], restoredState: [], stateConflicts: [], merged: [], notUndone: [] };
    return { reply: { ok: true, turnId: change.turnId, restored: [name], ...none }, isTold: false };
  };
}
