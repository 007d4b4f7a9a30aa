// Types of a replay's result, and of a packed turn.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { SaidEvent } from './played-parts.ts';
import type { TurnRecord } from './record-types.ts';

export interface Difference {
  /** Position among the events, from 0. */
  readonly at: number;
  /** As JSON; left out if there is none. */
  readonly recorded?: string;
  readonly replayed?: string;
}

export interface Replayed {
  readonly chatId: string;
  readonly turnId: string;
  readonly recorded: readonly SaidEvent[];
  readonly events: readonly SaidEvent[];
  /** Number of the turn's events emitted outside of its loop; they are not compared. */
  readonly others: number;
  readonly difference?: Difference;
}

/** A turn as a self-contained test. */
export interface TurnTest {
  readonly turnTest: 1;
  readonly record: TurnRecord;
  readonly before: readonly JournalEvent[];
  readonly expected: readonly SaidEvent[];
}
