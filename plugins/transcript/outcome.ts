// Derives the outcome of a turn from its entries.
import { isQueued } from './entry-list.ts';
import type { AssistantEntry, Entry, NoteEntry, ToolEntry, Transcript } from './state.ts';
import { endingReason } from './wording.ts';

export interface TurnOutcome {
  /** Reason of its `turn_end`. */
  readonly reason: string;
  /** Why it ended without a reply, in a sentence. */
  readonly why?: string;
  /** Its last text; empty if there is none. */
  readonly text: string;
  /** The last call, if no text follows it: its result is the output of the turn. */
  readonly result?: ToolEntry;
}

/** `undefined` while the turn waits or runs, and for an unknown one. */
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

/** Returns the newest text of the agent; empty if there is none. @param entries of one turn */
export function lastWords(entries: readonly Entry[]): string {
  return entries.findLast(isSaid)?.text ?? '';
}

/** Whether nothing is running or queued. */
export function isIdle({ entries, running }: Transcript): boolean {
  return running === undefined && !isQueued(entries.at(-1));
}

function isSaid(entry: Entry): entry is AssistantEntry {
  return entry.kind === 'assistant' && entry.text !== '';
}
