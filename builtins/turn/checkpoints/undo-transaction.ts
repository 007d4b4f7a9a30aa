// Runs an undo as a transaction: first writes the intent to disk, so that a start after a crash completes the undo, and rolls back after an error.
import { messageOf } from '#lib/errors';
import type { CheckpointLogs, EndRecord, IntentRecord, LogRecord, UndoRecord, UndoStep } from './checkpoint-log.ts';
import type { UndoPlace } from './contract.ts';
import type { OpenChangeMarkers } from './open-change-markers.ts';
import type { KeptObjects } from './objects.ts';
import type { Places } from './places.ts';
import { endOf, intentsOf } from './plan-undo.ts';

export interface TransactionParts {
  readonly logs: Pick<CheckpointLogs, 'read' | 'append'>;
  readonly places: Places;
  readonly objects: KeptObjects;
  readonly marks: OpenChangeMarkers;
  warn(text: string): void;
}

export interface Transactions {
  /** Runs an intent. Returns the resulting undos and the conflicts. Rejects with the first error after everything was rolled back. */
  run(place: UndoPlace, intent: IntentRecord): Promise<DoneUndo>;
  /** Completes the operations of a process that has exited, and returns them. */
  finish(place: UndoPlace): Promise<readonly DoneUndo[]>;
}

export interface DoneUndo {
  readonly intent: IntentRecord;
  readonly undos: readonly UndoRecord[];
  /** Paths of steps that were skipped because their content was not the expected one. */
  readonly conflicts: readonly string[];
}

/** Contract of all functions: the caller holds the exclusive lock of the chat's log. */
export function createTransactions({ logs, places, objects, marks, warn }: TransactionParts): Transactions {
  const now = (): string => new Date().toISOString();

  async function contentOf(chatId: string, hash: string | null): Promise<Buffer | null> {
    if (hash === null) return null;
    const content = await objects.read(chatId, hash);
    if (!content) throw new Error(`the content ${hash} is no longer stored`);
    return content;
  }

  /** Performs a step; also returns `done` if the step was done before. */
  async function apply(place: UndoPlace, step: UndoStep): Promise<'done' | 'conflict'> {
    const state = await places.read(place, step.path);
    const is = state.kind === 'file' ? state.hash : null;
    if (state.kind === 'other') return 'conflict';
    if (is === step.to) return 'done';
    if (is !== step.from) return 'conflict';
    const [from, to] = [await contentOf(place.chatId, step.from), await contentOf(place.chatId, step.to)];
    return (await places.write(place, step, { from, to })) ? 'done' : 'conflict';
  }

  async function takeBack(place: UndoPlace, { id }: IntentRecord, done: readonly UndoStep[]): Promise<void> {
    for (const { path, from, to, mode } of done.toReversed()) {
      await apply(place, { path, from: to, to: from, ...(mode === undefined ? {} : { mode }) }).catch((fault: unknown) =>
        warn(`${path} could not be restored after a failed undo: ${messageOf(fault)}`),
      );
    }
    await logs.append(place.chatId, { kind: 'end', id, isTakenBack: true, conflicts: [], at: now() });
  }

  async function end(place: UndoPlace, intent: IntentRecord, conflicts: readonly string[]): Promise<DoneUndo> {
    const written = (await logs.read(place.chatId)).filter((record) => record.kind === 'undo' && record.intent === intent.id).length;
    const undos = intent.undos.map((undo) => ({
      ...undo,
      restored: undo.restored.filter(({ path }) => !conflicts.includes(path)),
      conflicts: [...undo.conflicts, ...undo.restored.flatMap(({ path }) => (conflicts.includes(path) ? [path] : []))],
    }));
    const last: EndRecord = { kind: 'end', id: intent.id, conflicts, at: now() };
    const left: readonly LogRecord[] = [...undos.slice(written), last];
    await logs.append(place.chatId, ...left);
    await places.notifyRestored(
      place,
      intent.steps.map(({ path }) => path).filter((path) => !conflicts.includes(path)),
    );
    return { intent, undos, conflicts };
  }

  async function carryOut(place: UndoPlace, intent: IntentRecord, onFault: 'take back' | 'conflict'): Promise<DoneUndo> {
    const conflicts: string[] = [];
    const done: UndoStep[] = [];
    for (const step of intent.steps) {
      try {
        if ((await apply(place, step)) === 'done') done.push(step);
        else conflicts.push(step.path);
      } catch (fault) {
        if (onFault === 'take back') {
          await takeBack(place, intent, done);
          throw fault;
        }
        warn(`the undo of ${step.path} could not be completed after a restart: ${messageOf(fault)}`);
        conflicts.push(step.path);
      }
    }
    return end(place, intent, conflicts);
  }

  return {
    async run(place, intent) {
      const { chatId } = place;
      if (intent.steps.length === 0) {
        if (intent.undos.length > 0) await logs.append(chatId, ...intent.undos);
        return { intent, undos: intent.undos, conflicts: [] };
      }
      marks.set(chatId);
      await logs.append(chatId, intent);
      return carryOut(place, intent, 'take back');
    },
    async finish(place) {
      const records = await logs.read(place.chatId);
      const done: DoneUndo[] = [];
      for (const intent of intentsOf(records)) if (!endOf(records, intent)) done.push(await carryOut(place, intent, 'conflict'));
      return done;
    },
  };
}
