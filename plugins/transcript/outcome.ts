// Derives the outcome of a turn from its entries.
import { isQueued } from './entry-list.ts';
import type { AssistantEntry, Entry, NoteEntry, ToolEntry, Transcript } from './state.ts';
import { endingReason } from './wording.ts';

export interface TurnOutcome {
  /** Reason for the end, from `turn_end`. */
  readonly reason: string;
  /** Explains the reason in one sentence if the turn ended without a reply. */
  readonly why?: string;
  /** The last text of the turn; empty if it has none. */
  readonly text: string;
  /** The last call, if no text follows; its result is the output of the turn. */
  readonly result?: ToolEntry;
}

/** Returns the outcome of a turn; `undefined` for an unknown turn, or while the turn waits or runs. */
export function outcomeOf({ entries, running }: Transcript, turnId: string): TurnOutcome | undefined {
  const own = entries.filter((entry) => entry.turnId === turnId);
  if (own.length === 0 || own.some(isQueued) || running?.turnId === turnId) return undefined;
  const ending = own.findLast((entry): entry is NoteEntry => endingReason(entry) !== undefined);
  const last = own.findLast((entry) => isSaid(entry) || (entry.kind === 'tool' && entry.ok !== undefined));
  return {
    reason: (ending && endingReason(ending)) ?? 'done',
    ...(ending ? { why: ending.text } : {}),
    text: lastWords(own),
    ...(last?.kind === 'tool' ? { result: last } : {}),
  };
}

/** Returns the newest text of the agent; empty if there is none. @param entries entries of one turn */
export function lastWords(entries: readonly Entry[]): string {
  return entries.findLast(isSaid)?.text ?? '';
}

/** Returns whether no turn is running and no message is queued. */
export function isIdle({ entries, running }: Transcript): boolean {
  return running === undefined && !isQueued(entries.at(-1));
}

function isSaid(entry: Entry): entry is AssistantEntry {
  return entry.kind === 'assistant' && entry.text !== '';
}
