// Builds the reply to an undo from its log records. Pure.
import type { LogRecord, RestoredPath } from './checkpoint-log.ts';
import type { UndoReply } from './contract.ts';
import { irreversibleEffectsOf } from './irreversible-effects.ts';
import { isStateId } from './places.ts';
import { carriedOut } from './plan-undo.ts';
import type { DoneUndo } from './undo-transaction.ts';

/** @param shown returns the display name of a path or a state */
export function replyOf(
  { intent, undos, conflicts: late }: DoneUndo,
  records: readonly LogRecord[],
  shown: (path: string, label?: string) => string,
): UndoReply {
  const labels = new Map(carriedOut(records).flatMap(({ path, label }) => (label === undefined ? [] : [[path, label] as const])));
  const nameOf = (path: string): string => shown(path, labels.get(path));
  const isRedo = intent.redoes !== undefined;
  const restored: readonly RestoredPath[] = undos.flatMap((undo) => undo.restored);
  const done = isRedo ? intent.steps.map(({ path }) => path).filter((path) => !late.includes(path)) : restored.map(({ path }) => path);
  const left = isRedo ? [...(intent.conflicts ?? []), ...late] : undos.flatMap((undo) => undo.conflicts);
  const named = (paths: readonly string[], wantsState: boolean): string[] => [
    ...new Set(paths.filter((path) => isStateId(path) === wantsState).map((path) => nameOf(path))),
  ];
  const turnIds = new Set(undos.map(({ turnId }) => turnId));
  return {
    ok: true,
    turnId: intent.turnId ?? undos.at(-1)?.turnId ?? '',
    restored: named(done, false),
    conflicts: named(left, false),
    restoredState: named(done, true),
    stateConflicts: named(left, true),
    merged: [...new Set(restored.flatMap(({ path, isMerged }) => (isMerged ? [nameOf(path)] : [])))],
    // A partial undo does not report the effects of the rest of the turn.
    notUndone: undos.some(({ only }) => only) ? [] : irreversibleEffectsOf(records, turnIds),
  };
}
