// Applies the changes of a dream run to the notes, and undoes them. Writes the report first, so that a run interrupted by a crash is completed at startup.
import type { EditedNote, NoteEdit, Notes } from 'agent-harness/builtins/tools/memory';
import type { DreamRun } from './contract.ts';
import type { DreamFiles } from './dream-files.ts';

export interface ApplyParts {
  readonly files: DreamFiles;
  readonly notes: Notes;
}

/** Applies a run and returns its final report. After a crash, {@link recoverRun} completes the run. */
export async function applyRun(parts: ApplyParts, run: DreamRun): Promise<DreamRun> {
  await parts.files.keep({ ...run, state: 'applying' });
  return finishApplying(parts, run);
}

async function finishApplying({ files, notes }: ApplyParts, run: DreamRun): Promise<DreamRun> {
  const edited = await notes.edit(run.changes.map(({ edit }) => edit));
  const changes = run.changes.map((change) => ({ ...change, outcome: outcomeOf(edited, change.edit) }));
  const done: DreamRun = { ...run, changes, state: 'done', endedAt: new Date().toISOString() };
  await files.keep(done);
  await files.end();
  return done;
}

/** Undoes the changes of a run, except for notes that were changed afterwards. */
export async function undoRun(parts: ApplyParts, run: DreamRun): Promise<DreamRun> {
  await parts.files.begin(run.runId);
  await parts.files.keep({ ...run, state: 'undoing' });
  return finishUndoing(parts, run);
}

async function finishUndoing({ files, notes }: ApplyParts, run: DreamRun): Promise<DreamRun> {
  const done = run.changes.filter(({ outcome }) => outcome === 'done');
  const edited = await notes.edit(done.map(({ edit }) => backwards(edit)));
  const left = done
    .filter(({ edit }) => outcomeOf(edited, edit) === 'changed')
    .map(({ edit: { id, scope }, kind }) => ({
      id,
      scope,
      why: kind === 'waits' ? 'You decided about this note after the run.' : 'The note was changed after the run and stays as it is.',
    }));
  const undone: DreamRun = { ...run, state: 'undone', undo: { at: new Date().toISOString(), undone: done.length - left.length, left } };
  await files.keep(undone);
  await files.end();
  return undone;
}

/** Completes the run that was in progress when its process ended, and returns it; `undefined` if there was none. */
export async function recoverRun(parts: ApplyParts): Promise<DreamRun | undefined> {
  const runId = await parts.files.open();
  if (runId === undefined) return undefined;
  const run = await parts.files.run(runId);
  if (run?.state === 'applying') return finishApplying(parts, run);
  if (run?.state === 'undoing') return finishUndoing(parts, run);
  const failed: DreamRun | undefined =
    run?.state === 'started'
      ? { ...run, state: 'failed', failure: { reason: 'interrupted', why: 'The server stopped during the run.' }, endedAt: new Date().toISOString() }
      : undefined;
  if (failed) await parts.files.keep(failed);
  await parts.files.end();
  return failed;
}

function backwards({ from, to, ...edit }: NoteEdit): NoteEdit {
  return { ...edit, from: to, to: from };
}

function outcomeOf(edited: readonly EditedNote[], { id, scope }: NoteEdit): EditedNote['outcome'] {
  return edited.find((one) => one.id === id && one.scope === scope)?.outcome ?? 'changed';
}
