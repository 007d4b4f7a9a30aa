// Defines the state that the reducers of chat events share during one batch of events.
import type { Draft, EntryList } from './entry-list.ts';
import type { EventFields, EventKind, neededFields } from './events.ts';
import type { RunningTurn, Transcript, WaitingFor } from './state.ts';

/** Fields of every event, in a journal and on the wire. */
export interface EventHead {
  readonly kind: string;
  /** Omitted for local events of a client before the server confirms them. */
  readonly id?: number;
  /** Time of the event (ISO 8601, UTC). */
  readonly at: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** An event read from a journal or the wire: only required fields are guaranteed. */
export type ReadEvent<K extends EventKind> = EventHead &
  Pick<EventFields[K], (typeof neededFields)[K][number] & keyof EventFields[K]> &
  Partial<Omit<EventFields[K], keyof EventHead>>;

export interface Batch {
  readonly entries: EntryList;
  /** State of the chat; its `entries` are set after all events of the batch. */
  readonly chat: Draft<Transcript>;
  /** Whether an earlier part of the chat is missing. */
  hasGap: boolean;
}

/** One reducer for each kind of event. */
export type Reducers<K extends EventKind> = { readonly [Kind in K]: (batch: Batch, event: ReadEvent<Kind>) => void };

/** Records what the running turn is waiting for, if the event belongs to that turn. */
export function wait({ chat }: Batch, { at, turnId }: EventHead, waitingFor: WaitingFor): void {
  const { running } = chat;
  if (running?.turnId === turnId && turnId !== undefined) chat.running = withWait(running, { turnId, waitingFor, since: at });
}

/** Returns the running turn with its current wait; creates the turn if it is unknown. */
export function withWait(
  running: RunningTurn | undefined,
  { turnId, waitingFor, since }: { readonly turnId: string; readonly waitingFor: WaitingFor; readonly since: string },
): RunningTurn {
  if (running?.turnId !== turnId) return { turnId, startedAt: since, waitingFor, since };
  if (running.waitingFor === waitingFor) return running;
  const { retry, ...rest } = running;
  return { ...rest, ...(waitingFor === 'retry' && retry ? { retry } : {}), waitingFor, since };
}
