// Computes the restores that undo a turn from the change log alone.
import type { ChangeRecord, EndRecord, IntentRecord, LogRecord, UndoRecord } from './checkpoint-log.ts';

export interface PlannedRestore {
  readonly path: string;
  /** Hash of the content to restore; `null` for a missing file. */
  readonly target: string | null;
  /** Hash of the content after the turn; if the current hash differs, others changed the content later. */
  readonly expected: string | null;
  readonly mode?: number;
  readonly madeFolder?: string;
  /** Display name of plugin state; omitted for files. */
  readonly label?: string;
  /** Whether others changed the file between two changes of the turn, or the content after the turn is unknown. */
  readonly isInterrupted: boolean;
}

export type UndoPlan =
  | { readonly kind: 'restore'; readonly turnId: string; readonly restores: readonly PlannedRestore[] }
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'done'; readonly turnId: string };

/** @param isWanted selects files by their absolute path */
export function planUndo(records: readonly LogRecord[], turnId: string, isWanted?: (path: string) => boolean): UndoPlan {
  const ofTurn = carriedOut(records).filter((change) => change.turnId === turnId && (isWanted?.(change.path) ?? true));
  if (ofTurn.length === 0) return { kind: 'nothing', why: `turn ${turnId} has no such change by a tool` };
  const undos = standingUndos(records).filter((undo) => undo.turnId === turnId);
  const open = ofTurn.filter(({ path }) => {
    const earlier = undos.filter((undo) => concerns(undo, path));
    // An undo may retry a path with a conflict, but not a restored path.
    return (
      earlier.length === 0 || (earlier.at(-1)?.conflicts.includes(path) === true && !earlier.some((undo) => undo.restored.some((one) => one.path === path)))
    );
  });
  if (open.length === 0) return { kind: 'done', turnId };
  return { kind: 'restore', turnId, restores: [...byPath(open)].map(([path, chain]) => planOne(path, chain)) };
}

type RestorePlan = Extract<UndoPlan, { kind: 'restore' }>;

/**
 * Returns the turn to undo if no id was given: the newest turn that has not been undone. `plan` is omitted if nothing in that turn can be undone; `previous` is
 * then the newest earlier turn that can be undone. @param turnIds ids of the turns, newest first
 */
export function lastTurnOf(
  records: readonly LogRecord[],
  turnIds: readonly string[],
): { readonly turnId: string; readonly plan?: RestorePlan; readonly previous?: RestorePlan } | undefined {
  let last: string | undefined;
  for (const turnId of turnIds) {
    const plan = planUndo(records, turnId);
    if (plan.kind === 'restore') return last === undefined ? { turnId, plan } : { turnId: last, previous: plan };
    if (plan.kind === 'nothing') last ??= turnId;
  }
  return last === undefined ? undefined : { turnId: last };
}

/** Returns the turns whose changes to a file are still effective, newest first. */
export function standingTurns(records: readonly LogRecord[], isWanted: (path: string) => boolean): string[] {
  const undos = standingUndos(records);
  const standing = carriedOut(records).filter(({ path, turnId }) => isWanted(path) && !isUndone({ path, turnId }, undos));
  return [...new Set(standing.map(({ turnId }) => turnId))].toReversed();
}

/** Returns whether a change has been undone, including by an undo that found the content already restored. */
export function isUndone({ turnId, path }: Pick<ChangeRecord, 'turnId' | 'path'>, undos: readonly UndoRecord[]): boolean {
  const own = undos.filter((undo) => undo.turnId === turnId && concerns(undo, path));
  return own.some((undo) => undo.restored.some((one) => one.path === path)) || (own.length > 0 && own.at(-1)?.conflicts.includes(path) === false);
}

const concerns = ({ only }: UndoRecord, path: string): boolean => only?.includes(path) ?? true;

/** Returns the undos, without the parts that a redo reverted. */
export function standingUndos(records: readonly LogRecord[]): UndoRecord[] {
  const redone = new Map<string, ReadonlySet<string>>();
  for (const intent of intentsOf(records)) {
    const end = endOf(records, intent);
    if (intent.redoes !== undefined && end && !end.isTakenBack) redone.set(intent.redoes, new Set(end.conflicts));
  }
  return records.flatMap((record): UndoRecord[] => {
    if (record.kind !== 'undo') return [];
    const conflicts = record.intent === undefined ? undefined : redone.get(record.intent);
    if (!conflicts) return [record];
    const left = record.restored.filter(({ path }) => conflicts.has(path));
    return left.length === 0 ? [] : [{ ...record, restored: left, conflicts: [], only: left.map(({ path }) => path) }];
  });
}

export function intentsOf(records: readonly LogRecord[]): IntentRecord[] {
  return records.filter((record): record is IntentRecord => record.kind === 'intent');
}

export function endOf(records: readonly LogRecord[], { id }: IntentRecord): EndRecord | undefined {
  return records.find((record): record is EndRecord => record.kind === 'end' && record.id === id);
}

/** Returns the changes without cancelled ones, and with the results of open changes. */
export function carriedOut(records: readonly LogRecord[]): ChangeRecord[] {
  const changes: ChangeRecord[] = [];
  for (const record of records) {
    if (record.kind === 'change') changes.push(record);
    if (record.kind !== 'cancel' && record.kind !== 'settled') continue;
    const isMeant = (change: ChangeRecord): boolean => change.callId === record.callId && change.path === record.path;
    const at = changes.findLastIndex((change) => isMeant(change) && (record.kind === 'cancel' || change.isOpen === true));
    if (at === -1) continue;
    if (record.kind === 'cancel') changes.splice(at, 1);
    else {
      const { isOpen: _, ...change } = changes[at] as ChangeRecord;
      changes[at] = { ...change, after: record.after };
    }
  }
  return changes;
}

export function byPath(changes: readonly ChangeRecord[]): Map<string, ChangeRecord[]> {
  const chains = new Map<string, ChangeRecord[]>();
  for (const change of changes) chains.set(change.path, [...(chains.get(change.path) ?? []), change]);
  return chains;
}

/** Combines the changes of one file, oldest first, into one restore. */
export function planOne(path: string, changes: readonly ChangeRecord[]): PlannedRestore {
  // If two changes start from the same content, the first one was never made, or was reverted manually.
  const chain = changes.filter((change, index) => index === changes.length - 1 || changes[index + 1]?.before !== change.before);
  const first = chain[0] ?? changes[0];
  const last = chain.at(-1) ?? first;
  return {
    path,
    target: first?.before ?? null,
    expected: last?.after ?? null,
    ...(first?.mode === undefined ? {} : { mode: first.mode }),
    ...(first?.madeFolder === undefined ? {} : { madeFolder: first.madeFolder }),
    ...(last?.label === undefined ? {} : { label: last.label }),
    isInterrupted: last?.isOpen === true || chain.some((change, index) => index > 0 && chain[index - 1]?.after !== change.before),
  };
}
