// Works out what an undo of a turn has to do, from the log alone.
import type { ChangeRecord, EndRecord, IntentRecord, LogRecord, UndoRecord } from './checkpoint-log.ts';

export interface PlannedRestore {
  readonly path: string;
  /** What has to be there again; `null`: no file. */
  readonly target: string | null;
  /** What the turn left there; anything else means that somebody changed it since. */
  readonly expected: string | null;
  readonly mode?: number;
  readonly madeFolder?: string;
  /** State of a plugin: how people call it. */
  readonly label?: string;
  /** Somebody changed it between two changes of the turn, or nobody knows what the turn left there. */
  readonly isInterrupted: boolean;
}

export type UndoPlan =
  | { readonly kind: 'restore'; readonly turnId: string; readonly restores: readonly PlannedRestore[] }
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'done'; readonly turnId: string };

/** @param isWanted of only some files: which, by their absolute path */
export function planUndo(records: readonly LogRecord[], turnId: string, isWanted?: (path: string) => boolean): UndoPlan {
  const ofTurn = carriedOut(records).filter((change) => change.turnId === turnId && (isWanted?.(change.path) ?? true));
  if (ofTurn.length === 0) return { kind: 'nothing', why: `tools changed nothing of that kind in the turn ${turnId}` };
  const undos = standingUndos(records).filter((undo) => undo.turnId === turnId);
  const open = ofTurn.filter(({ path }) => {
    const earlier = undos.filter((undo) => concerns(undo, path));
    // What was in conflict may be tried again; what was restored may not.
    return (
      earlier.length === 0 || (earlier.at(-1)?.conflicts.includes(path) === true && !earlier.some((undo) => undo.restored.some((one) => one.path === path)))
    );
  });
  if (open.length === 0) return { kind: 'done', turnId };
  return { kind: 'restore', turnId, restores: [...byPath(open)].map(([path, chain]) => planOne(path, chain)) };
}

type RestorePlan = Extract<UndoPlan, { kind: 'restore' }>;

/**
 * The turn that an undo without an id means: the newest that was not undone yet. `plan` is left out where nothing of it can be undone; `previous` is then
 * the newest before it of which something can. @param turnIds newest first
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

/** Turns with changes of a file that stand, newest first. */
export function standingTurns(records: readonly LogRecord[], isWanted: (path: string) => boolean): string[] {
  const undos = standingUndos(records);
  const standing = carriedOut(records).filter(({ path, turnId }) => isWanted(path) && !isUndone({ path, turnId }, undos));
  return [...new Set(standing.map(({ turnId }) => turnId))].toReversed();
}

/** What an undo found to be as before counts as taken back, too. */
export function isUndone({ turnId, path }: Pick<ChangeRecord, 'turnId' | 'path'>, undos: readonly UndoRecord[]): boolean {
  const own = undos.filter((undo) => undo.turnId === turnId && concerns(undo, path));
  return own.some((undo) => undo.restored.some((one) => one.path === path)) || (own.length > 0 && own.at(-1)?.conflicts.includes(path) === false);
}

const concerns = ({ only }: UndoRecord, path: string): boolean => only?.includes(path) ?? true;

/** Undos without what was taken back of them again. */
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

/** Changes without those that were called off; what was open says what it came to. */
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

/** The changes of one file in one, oldest first. */
export function planOne(path: string, changes: readonly ChangeRecord[]): PlannedRestore {
  // A change that starts from the same content as the one before it shows that the one before never happened, or was taken back by hand.
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
