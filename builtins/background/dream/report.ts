// Formats dream runs as text for chats, the terminal and slash commands. Pure.
import { clip, countWithNoun, oneLine } from '#lib/text';
import type { DreamRun } from './contract.ts';
import { maxSummary } from './read-reply.ts';
import type { ShownRun } from './schemas.ts';

/** Maximum length of a displayed value or quote in UTF-16 code units. */
const shownValue = 160;

/** Returns the summary of a run: the model's text if there is one, otherwise the ids of the notes. */
export function summaryText(run: DreamRun): string {
  const applied = run.changes.filter(({ kind, outcome }) => kind !== 'waits' && outcome !== 'changed');
  const waiting = run.changes.filter(({ kind }) => kind === 'waits').length;
  const own = run.summary === '' ? `Notes: ${applied.map(({ edit, kind }) => `${kind} ${edit.id}`).join(', ')}.` : run.summary;
  const tail = waiting === 0 ? '' : ` ${countWithNoun(waiting, 'waits', 'wait')} in the inbox.`;
  return clip(own, maxSummary - tail.length) + tail;
}

export function describeRun(run: ShownRun): string {
  return [
    `${run.runId}, ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC: ${stateText(run)}`,
    ...(run.sessions.length === 0 ? [] : [`Read: ${run.sessions.map(({ title, chatId }) => clip(oneLine(title === '' ? chatId : title), 40)).join(' · ')}`]),
    ...(run.summary === '' ? [] : [`Summary: ${run.summary}`]),
    ...run.changes.flatMap(describeChange),
    ...run.refused.flatMap(({ id, value, why, evidence }) => [`- refused ${id}: ${clip(oneLine(value), shownValue)}`, `  ${why}`, ...evidence.map(quoted)]),
    ...(run.forged > 0 ? [`Quotes not found at their source: ${run.forged}.`] : []),
    ...(run.forgotten ? [`Rows removed with a forgotten chat: ${run.forgotten}.`] : []),
    ...(run.undo ? [`Undone: ${run.undo.undone}.`, ...run.undo.left.map(({ id, why }) => `- not undone ${id}: ${why}`)] : []),
  ].join('\n');
}

/** Formats the first 20 runs, one line each. */
export function describeRuns(runs: readonly ShownRun[]): string {
  return runs
    .slice(0, 20)
    .map((run) => `${run.runId}  ${run.startedAt.slice(0, 16).replace('T', ' ')}  ${stateText(run)}`)
    .join('\n');
}

function stateText({ state, failure, counts }: ShownRun): string {
  if (state === 'failed') return `failed: ${failure?.why ?? 'the run did not finish'}`;
  if (state === 'undone') return 'undone';
  if (state !== 'done') return 'under way';
  return `${counts.kept} stored, ${counts.waiting} waiting, ${counts.deleted} deleted, ${counts.refused} refused`;
}

function describeChange({ kind, id, why, before = '', after = '', isLeftAlone = false, evidence }: ShownRun['changes'][number]): string[] {
  return [
    `- ${isLeftAlone ? 'not applied because it was changed meanwhile:' : kind} ${id}: ${clip(oneLine(kind === 'deleted' ? before : after), shownValue)}`,
    ...(kind === 'changed' ? [`  before: ${clip(oneLine(before), shownValue)}`] : []),
    `  ${why}`,
    ...evidence.map(quoted),
  ];
}

function quoted({ chatId, entryId, quote, class: origin }: ShownRun['refused'][number]['evidence'][number]): string {
  return `  “${clip(oneLine(quote), shownValue)}” (${origin}, ${chatId} ${entryId})`;
}
