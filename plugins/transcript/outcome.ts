// What became of a turn, as its entries tell.
import { isQueued } from './entry-list.ts';
import type { AssistantEntry, Entry, NoteEntry, ToolEntry, Transcript } from './state.ts';
import { endingReason } from './wording.ts';

export interface TurnOutcome {
  /** Of its `turn_end`. */
  readonly reason: string;
  /** How it ended otherwise than by its reply, in a sentence. */
  readonly why?: string;
  /** Its last words; empty where it said nothing. */
  readonly text: string;
  /** The call that nobody spoke after: its result is what the turn was for. */
  readonly result?: ToolEntry;
}

/** `undefined` while the turn waits or runs, and for one of which nothing is known. */
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

/** The newest text of the agent; empty where it said nothing. @param entries of one turn */
export function lastWords(entries: readonly Entry[]): string {
  return entries.findLast(isSaid)?.text ?? '';
}

/** Nothing runs, and nothing waits to run. */
export function isIdle({ entries, running }: Transcript): boolean {
  return running === undefined && !isQueued(entries.at(-1));
}

function isSaid(entry: Entry): entry is AssistantEntry {
  return entry.kind === 'assistant' && entry.text !== '';
}
