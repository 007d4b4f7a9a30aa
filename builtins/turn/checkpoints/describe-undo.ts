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
  if (merged.length > 0) sentences.push(`Later changes are kept: ${merged.join(', ')}.`);
  if (left.length > 0) sentences.push(`Not undone because of later changes: ${left.join(', ')}.`);
  if (sentences.length === 0) sentences.push('Nothing to undo: everything is already as it was.');
  if (notUndone.length > 0) sentences.push(`Effects that cannot be undone: ${notUndone.map(describeEffect).join('; ')}.`);
  return sentences.join(' ');
}

function describeNothing({ notUndone, previous }: UndoReply): string {
  const why = notUndone.length === 0 ? '' : ` It ran ${notUndone.map(describeEffect).join('; ')}, which cannot be undone.`;
  const offer = previous ? ` An earlier turn changed ${previous.files.join(', ')}: /undo ${previous.turnId} reverts that turn.` : '';
  return `The last turn has no changes that can be undone.${why}${offer}`;
}

export function describeEffect({ tool, what }: Pick<OutsideEffect, 'tool' | 'what'>): string {
  return what === '' ? tool : `${tool} (${what})`;
}

/** Builds the transcript line for an undo, unless the result is shown elsewhere. The line is outside turns, because the undone turn may be old. */
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
  const others = (count: number): string => (count === 1 ? '1 other item' : `${count} other items`);
  const both = (paths: readonly string[], states: readonly string[]): string =>
    [...(paths.length > 0 || states.length === 0 ? [files(paths.length)] : []), ...(states.length > 0 ? [others(states.length)] : [])].join(' and ');
  const leftCount = conflicts.length + stateConflicts.length;
  const left = leftCount === 0 ? '' : ` ${both(conflicts, stateConflicts)} changed later and ${leftCount === 1 ? 'was' : 'were'} not undone.`;
  const outside = notUndone.length === 0 ? '' : ` Effects that cannot be undone: ${notUndone.slice(0, 5).map(describeEffect).join('; ')}.`;
  const what = isRedo ? 'An undo was reverted' : 'Changes were undone';
  return { text: `${what} in ${both(restored, restoredState)}.${left}${outside}`, isOutsideTurn: true };
}

type Shown = Partial<RestoredState> & UndoOptions & { readonly isRedo?: true };
