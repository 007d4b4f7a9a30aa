// Formats the result of an undo as sentences for the page. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { t } from '#page/kit/t.ts';
import { firstOf, pathText } from '#page/kit/short-texts.ts';

export type Undone = Omit<ReplyOf<'POST /api/undo'>, 'turnId'>;

export function describeUndo({ ok, restored, conflicts, restoredState, stateConflicts, merged, notUndone, previous }: Undone): string {
  const sentences: string[] = [];
  if (!ok) {
    sentences.push(t('The last turn has no changes that can be undone.'));
    if (notUndone.length > 0) sentences.push(t('It ran {calls}, which cannot be undone.', { calls: firstOf(notUndone.map(effectText), 5) }));
    if (previous) sentences.push(t('An earlier turn changed {paths}; it is shown under Changes.', { paths: firstOf(previous.files.map(pathText), 5) }));
    return sentences.join(' ');
  }
  const done = [...restored.map(pathText), ...restoredState];
  const left = [...conflicts.map(pathText), ...stateConflicts];
  if (done.length > 0) sentences.push(t('Undone: {paths}.', { paths: firstOf(done, 10) }));
  if (merged.length > 0) sentences.push(t('Later changes are kept: {paths}.', { paths: firstOf(merged.map(pathText), 10) }));
  if (left.length > 0) sentences.push(t('Not undone because of later changes: {paths}.', { paths: firstOf(left, 10) }));
  if (sentences.length === 0) sentences.push(t('Nothing to undo: everything is already as it was.'));
  if (notUndone.length > 0) sentences.push(t('Effects that cannot be undone: {calls}.', { calls: firstOf(notUndone.map(effectText), 5) }));
  return sentences.join(' ');
}

/** Returns one line that describes a call with external effects. */
export function effectText({ tool, what }: { readonly tool: string; readonly what: string }): string {
  return what === '' ? tool : `${tool} (${what})`;
}

/** Returns whether the undo skipped some items. */
export function isPartial({ ok, conflicts, stateConflicts }: Pick<Undone, 'ok' | 'conflicts' | 'stateConflicts'>): boolean {
  return !ok || conflicts.length + stateConflicts.length > 0;
}
