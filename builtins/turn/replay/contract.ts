// The contract of recorded turns: packing one as a self-contained document, and replaying such a document.
import type { SaidEvent, TurnTest } from './record-schema.ts';

export type { SaidEvent, TurnTest } from './record-schema.ts';

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

/** Optional parts of a packed turn; parts left out are absent from the document in any form. */
export interface PackOptions {
  /** The earlier messages of the chat. */
  readonly earlier: boolean;
  /** The model's input besides the conversation: the system prompt, the tools, notes of plugins. */
  readonly requests: boolean;
  /** Outputs of its calls: file contents, command output, pages. */
  readonly results: boolean;
  /** Replaces characters that must not be readable. Contract: keeps the length, and valid JSON. */
  mask(text: string): string;
}

export interface PackedTurn {
  readonly turn: TurnTest;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  /** The first difference between the replayed turn and its journal; left out if they are byte-identical. */
  readonly difference?: Difference;
}

/** The service of the plugin that records turns. */
export interface TurnRecords {
  /**
   * Packs a finished turn with everything needed to replay it elsewhere; it is replayed once from exactly that, and the result is `expected`. Known
   * and likely secrets are masked. Rejects with `REPLAY_ERR_NO_RECORD`, `REPLAY_ERR_NOT_FOUND`, and `REPLAY_ERR_INVALID_CHANGE` if the masking
   * prevents the replay.
   * @param turnId the newest recorded turn when left out, or `last`
   */
  pack(chatId: string | undefined, turnId: string | undefined, options: PackOptions): Promise<PackedTurn>;
  /** Replays a packed turn; calls no model and runs nothing. Rejects with `REPLAY_ERR_INVALID_CHANGE` if it is invalid. @param packed untrusted JSON */
  play(packed: unknown): Promise<Replayed>;
  /** Returns values excluded from records: the key, and secret values of `.env`. */
  secrets(): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    turnRecords: TurnRecords;
  }
}
