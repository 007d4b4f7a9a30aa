// What the takers of one batch of events work on, and what they share.
import type { Draft, EntryList } from './entry-list.ts';
import type { TakenEvents, TakenKind } from './event-fields.ts';
import type { ChatState, RunningTurn, WaitingFor } from './state.ts';

export interface Batch {
  readonly entries: EntryList;
  /** Its `entries` are set when all events were taken. */
  readonly chat: Draft<ChatState>;
  needsReload: boolean;
}

/** One function for each kind of event. */
export type Takers<K extends TakenKind> = { readonly [Kind in K]: (batch: Batch, event: TakenEvents[Kind]) => void };

/** Says what the running turn waits for, where the event is part of it. */
export function wait({ chat }: Batch, { at, turnId }: { readonly at: string; readonly turnId?: string }, waitingFor: WaitingFor): void {
  const { running } = chat;
  if (running?.turnId === turnId && turnId !== undefined) chat.running = withWait(running, { turnId, waitingFor, since: at });
}

/** The turn as it waits now; a turn that the events did not tell of begins with that. */
export function withWait(
  running: RunningTurn | undefined,
  { turnId, waitingFor, since }: { readonly turnId: string; readonly waitingFor: WaitingFor; readonly since: string },
): RunningTurn {
  if (running?.turnId !== turnId) return { turnId, startedAt: since, waitingFor, since };
  if (running.waitingFor === waitingFor) return running;
  const { retry, ...rest } = running;
  return { ...rest, ...(waitingFor === 'retry' && retry ? { retry } : {}), waitingFor, since };
}

/** The text with the delta in its place; `undefined` where something before it is missing. What is known already changes nothing. */
export function joinText(text: string, offset: number, delta: string): string | undefined {
  if (offset === text.length) return text + delta;
  if (offset > text.length) return undefined;
  return text.startsWith(delta, offset) ? text : text.slice(0, offset) + delta;
}
