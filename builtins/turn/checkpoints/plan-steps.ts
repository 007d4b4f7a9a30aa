// Plans the steps of an undo or redo, each from exactly the current content to exactly the target. First stores all contents that the steps need.
import { sha256 } from '#lib/hash';
import type { LogRecord, RestoredPath, UndoRecord, UndoStep } from './checkpoint-log.ts';
import type { UndoPlace } from './contract.ts';
import type { FileState } from './file-state.ts';
import type { KeptObjects } from './objects.ts';
import type { Places } from './places.ts';
import { intentsOf, endOf, type PlannedRestore } from './plan-undo.ts';

export interface PlannedPart {
  readonly restored: readonly RestoredPath[];
  readonly conflicts: readonly string[];
}

export interface StepPlanner {
  /** Plans the restores of one turn; each plan starts from the result of the previous one. */
  plan(restores: readonly PlannedRestore[]): Promise<PlannedPart>;
  /** Returns the steps of all plans together, one step per path. */
  steps(): UndoStep[];
}

type KeptFile = Extract<FileState, { kind: 'file' }>;

/** @param mayKeep whether to store contents, so that nothing is lost; false for a preview */
export function createStepPlanner(place: UndoPlace, places: Places, objects: KeptObjects, { mayKeep }: { readonly mayKeep: boolean }): StepPlanner {
  const { chatId } = place;
  const found = new Map<string, FileState>();
  const begun = new Map<string, UndoStep>();

  async function planOne(one: PlannedRestore): Promise<RestoredPath | 'conflict' | 'same'> {
    const state = found.get(one.path) ?? (await places.read(place, one.path));
    const from = state.kind === 'file' ? state.hash : null;
    if (state.kind !== 'other' && from === one.target) return 'same';
    if (state.kind === 'other' || one.isInterrupted) return 'conflict';
    const isMerged = from !== one.expected;
    const next = isMerged ? await merged(one, state) : await readTarget(one);
    if (next === undefined) return 'conflict';
    if (state.kind === 'file' && mayKeep) await objects.keep(chatId, state.hash, state.content);
    if (next.kind === 'file' && mayKeep) await objects.keep(chatId, next.hash, next.content);
    const to = next.kind === 'file' ? next.hash : null;
    if (from === to) return 'same';
    found.set(one.path, next);
    const earlier = begun.get(one.path);
    begun.set(one.path, {
      ...{ path: one.path, from: earlier ? earlier.from : from, to },
      ...(next.kind === 'file' ? { mode: next.mode } : {}),
      ...(one.madeFolder === undefined ? {} : { madeFolder: one.madeFolder }),
    });
    return {
      ...{ path: one.path, shown: places.shown(place, one.path, one.label), from, to },
      ...(state.kind === 'file' ? { mode: state.mode } : {}),
      ...(one.label === undefined ? {} : { label: one.label }),
      ...(isMerged ? { isMerged: true as const } : {}),
    };
  }

  async function readTarget({ target, mode = 0o644 }: PlannedRestore): Promise<FileState | undefined> {
    if (target === null) return { kind: 'none' };
    const content = await objects.read(chatId, target);
    return content && { kind: 'file', hash: target, content, mode };
  }

  async function merged({ path, target, expected, mode }: PlannedRestore, state: FileState): Promise<FileState | undefined> {
    const kept = async (hash: string | null): Promise<Buffer | null | undefined> => (hash === null ? null : objects.read(chatId, hash));
    const [before, after] = await Promise.all([kept(target), kept(expected)]);
    if (before === undefined || after === undefined) return undefined;
    const now = state.kind === 'file' ? state.content : null;
    const content = await places.merge(path, { before, after, now });
    if (content === undefined || content === null) return content === null ? { kind: 'none' } : undefined;
    return { kind: 'file', hash: sha256(content), content, mode: (state as Partial<KeptFile>).mode ?? mode ?? 0o644 };
  }

  return {
    async plan(restores) {
      const restored: RestoredPath[] = [];
      const conflicts: string[] = [];
      for (const one of restores) {
        const planned = await planOne(one);
        if (planned === 'conflict') conflicts.push(one.path);
        else if (planned !== 'same') restored.push(planned);
      }
      return { restored, conflicts };
    },
    steps: () => [...begun.values()],
  };
}

/** Returns the plan that reverts the last effective undo; `undefined` if no undo is effective. */
export function planRedo(records: readonly LogRecord[]): { readonly intent: string; readonly turnId: string; readonly restores: PlannedRestore[] } | undefined {
  const redone = new Set(
    intentsOf(records).flatMap((intent) => (intent.redoes !== undefined && endOf(records, intent)?.isTakenBack !== true ? [intent.redoes] : [])),
  );
  const undos = records.filter((record): record is UndoRecord => record.kind === 'undo' && record.restored.length > 0);
  const last = undos.findLast(({ intent }) => intent === undefined || !redone.has(intent));
  if (last?.intent === undefined) return undefined;
  const { intent, turnId } = last;
  const byPath = new Map<string, PlannedRestore>();
  for (const { path, from, to = null, mode, label } of undos.filter((undo) => undo.intent === intent).flatMap(({ restored }) => restored)) {
    const first = byPath.get(path);
    const started = first ?? { target: from, ...(mode === undefined ? {} : { mode }), ...(label === undefined ? {} : { label }) };
    byPath.set(path, { ...started, path, expected: to, isInterrupted: false });
  }
  return { intent, turnId, restores: [...byPath.values()] };
}
