// What the reducers of one batch of events work on, and what they share.
import type { Draft, EntryList } from './entry-list.ts';
import type { EventFields, EventKind, neededFields } from './events.ts';
import type { RunningTurn, Transcript, WaitingFor } from './state.ts';

/** What every event has, in a journal and on the wire. */
export interface EventHead {
  readonly kind: string;
  /** Left out of what a client knows before the server says it. */
  readonly id?: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** An event that was read: only what readers cannot do without is sure to be there. */
export type ReadEvent<K extends EventKind> = EventHead &
  Pick<EventFields[K], (typeof neededFields)[K][number] & keyof EventFields[K]> &
  Partial<Omit<EventFields[K], keyof EventHead>>;

export interface Batch {
  readonly entries: EntryList;
  /** Its `entries` are set when all events were taken. */
  readonly chat: Draft<Transcript>;
  /** Something that came before is missing. */
  hasGap: boolean;
}

/** One function for each kind of event. */
export type Reducers<K extends EventKind> = { readonly [Kind in K]: (batch: Batch, event: ReadEvent<Kind>) => void };

/** Says what the running turn waits for, where the event is part of it. */
export function wait({ chat }: Batch, { at, turnId }: EventHead, waitingFor: WaitingFor): void {
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
