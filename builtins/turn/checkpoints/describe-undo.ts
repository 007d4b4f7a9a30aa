// Describes the result of an undo for users and for the model.
import type { ShownNote } from 'agent-harness/transcript';
import type { OutsideEffect, RestoredState, UndoOptions, UndoReply } from './contract.ts';

export function describeUndo(reply: UndoReply, { isRedo = false } = {}): string {
  const { restored, restoredState, conflicts, stateConflicts, merged, notUndone } = reply;
  if (!reply.ok) return describeNothing(reply);
  const sentences: string[] = [];
  const done = [...restored, ...restoredState];
  const left = [...conflicts, ...stateConflicts];
  if (done.length > 0) sentences.push(`${isRedo ? 'Redone' : 'Undone'}: ${done.join(', ')}.`);
  if (merged.length > 0) sentences.push(`What was changed there since is kept: ${merged.join(', ')}.`);
  if (left.length > 0) sentences.push(`Changed since and left alone: ${left.join(', ')}.`);
  if (sentences.length === 0) sentences.push('Nothing to undo: everything is already as it was.');
  if (notUndone.length > 0) sentences.push(`Not undone, since it acted outside: ${notUndone.map(describeEffect).join('; ')}.`);
  return sentences.join(' ');
}

function describeNothing({ notUndone, previous }: UndoReply): string {
  const why = notUndone.length === 0 ? '' : ` It ran ${notUndone.map(describeEffect).join('; ')}, which no undo reverses.`;
  const offer = previous ? ` An earlier turn changed ${previous.files.join(', ')}: /undo ${previous.turnId} reverts that turn.` : '';
  return `Nothing of the last turn can be undone.${why}${offer}`;
}

export function describeEffect({ tool, what }: Pick<OutsideEffect, 'tool' | 'what'>): string {
  return what === '' ? tool : `${tool} (${what})`;
}

/** Adds the result to the transcript if nothing else shows it. The line belongs to the undone turn, which may be old. */
export function showUndo({
  restored = [],
  conflicts = [],
  restoredState = [],
  stateConflicts = [],
  notUndone = [],
  isRedo,
  isSaid,
}: Shown): ShownNote | undefined {
  if (isSaid) return undefined;
  const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
  const others = (count: number): string => (count === 1 ? '1 other thing' : `${count} other things`);
  const both = (paths: readonly string[], states: readonly string[]): string =>
    [...(paths.length > 0 || states.length === 0 ? [files(paths.length)] : []), ...(states.length > 0 ? [others(states.length)] : [])].join(' and ');
  const leftCount = conflicts.length + stateConflicts.length;
  const left = leftCount === 0 ? '' : ` ${both(conflicts, stateConflicts)} changed since and ${leftCount === 1 ? 'was' : 'were'} left alone.`;
  const outside = notUndone.length === 0 ? '' : ` Not undone, because it acted outside: ${notUndone.slice(0, 5).map(describeEffect).join('; ')}.`;
  const what = isRedo ? 'An undo was reverted' : 'Changes were undone';
  return { text: `${what} in ${both(restored, restoredState)}.${left}${outside}`, isOutsideTurn: true };
}

type Shown = Partial<RestoredState> & UndoOptions & { readonly isRedo?: true };
