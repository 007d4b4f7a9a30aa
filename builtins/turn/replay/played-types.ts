// What comes of playing a turn, and a turn as a document.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { SaidEvent } from './played-parts.ts';
import type { TurnRecord } from './record-types.ts';

export interface Difference {
  /** Place among the events, from 0. */
  readonly at: number;
  /** As JSON; left out where there is none. */
  readonly recorded?: string;
  readonly replayed?: string;
}

export interface Replayed {
  readonly chatId: string;
  readonly turnId: string;
  readonly recorded: readonly SaidEvent[];
  readonly events: readonly SaidEvent[];
  /** Events of the turn that others than its loop said; they are not compared. */
  readonly others: number;
  readonly difference?: Difference;
}

/** A turn as a test: complete in itself. */
export interface TurnTest {
  readonly turnTest: 1;
  readonly record: TurnRecord;
  readonly before: readonly JournalEvent[];
  readonly expected: readonly SaidEvent[];
}
