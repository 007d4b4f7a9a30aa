// Computes the net changes that tools made from the change log alone.
import type { ChangeRecord, LogRecord, UndoRecord } from './checkpoint-log.ts';
import { isStateId } from './places.ts';
import { byPath, carriedOut, isUndone, planOne, standingUndos, type PlannedRestore } from './plan-undo.ts';

/** A file that differs from its state before the given turns, or that differed until an undo. */
export interface NetChange {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path before a move. */
  readonly from?: string;
  /** SHA-256 before and after; `null` for a missing file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly isUndone: boolean;
  /** The restore with which an undo starts. */
  readonly restore: PlannedRestore;
  /** Display name of plugin state; omitted for files. */
  readonly label?: string;
  /** Id of the last turn that changed the file or the state. */
  readonly turnId: string;
  /** Time of the last change, ISO 8601. */
  readonly at: string;
}

/** Lists the net changes, most recently changed first. @param turnId id of the only turn to list; default: all turns */
export function listChanges(records: readonly LogRecord[], turnId: string | undefined): NetChange[] {
  const undos = standingUndos(records);
  const changes = carriedOut(records).filter((change) => turnId === undefined || change.turnId === turnId);
  const net = [...byPath(changes)].flatMap(([path, chain]) => netOf(path, chain, undos) ?? []);
  return pairMoves(net).sort((left, right) => (left.at < right.at ? 1 : -1));
}

function netOf(path: string, all: readonly ChangeRecord[], undos: readonly UndoRecord[]): NetChange | undefined {
  const standing = all.filter((change) => !isUndone(change, undos));
  const chain = standing.length > 0 ? standing : all;
  const last = chain.at(-1);
  const restore = planOne(path, chain);
  const { target: before, expected: after, label } = restore;
  if (last === undefined || (before === after && last.isOpen !== true)) return undefined;
  return { path, before, after, isUndone: standing.length === 0, restore, ...(label === undefined ? {} : { label }), turnId: last.turnId, at: last.at };
}

/** Combines a deleted and a created file with the same content into a move. */
function pairMoves(changes: readonly NetChange[]): NetChange[] {
  const gone = new Map(
    changes.flatMap((change) => (change.after === null && !change.isUndone && !isStateId(change.path) ? [[change.before, change] as const] : [])),
  );
  const moved = new Set<NetChange>();
  const paired = changes.map((change) => {
    const source = change.before === null && !change.isUndone && !isStateId(change.path) ? gone.get(change.after) : undefined;
    if (!source || moved.has(source)) return change;
    moved.add(source);
    return { ...change, from: source.path, before: source.before };
  });
  return paired.filter((change) => !moved.has(change));
}
