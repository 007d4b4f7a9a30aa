// Works out what tools changed in files, net, from the log alone.
import type { ChangeRecord, LogRecord, UndoRecord } from './checkpoint-log.ts';
import { isStateId } from './places.ts';
import { byPath, carriedOut, isUndone, planOne, standingUndos, type PlannedRestore } from './plan-undo.ts';

/** A file that is not as it was before the turns that are looked at; or that was, until somebody took it back. */
export interface NetChange {
  /** Absolute. */
  readonly path: string;
  /** Absolute; where the file was before it was moved. */
  readonly from?: string;
  /** SHA-256; `null`: no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly isUndone: boolean;
  /** What an undo would begin with. */
  readonly restore: PlannedRestore;
  /** Of state: how people call it. */
  readonly label?: string;
  /** The turn that changed it last. */
  readonly turnId: string;
  /** When, ISO 8601. */
  readonly at: string;
}

/** Changed last first. @param turnId of one turn; of all when left out */
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

/** A file that is gone and one that came with the same content are one that was moved. */
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
