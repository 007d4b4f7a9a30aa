// Defines the contract of turn records: packing a turn as a self-contained document, and replaying such a document.
import type { SaidEvent, TurnTest } from './record-schema.ts';

export type { SaidEvent, TurnTest } from './record-schema.ts';

export interface Difference {
  /** Index of the event, counted from 0. */
  readonly at: number;
  /** The recorded event as JSON; omitted if there is none. */
  readonly recorded?: string;
  readonly replayed?: string;
}

export interface Replayed {
  readonly chatId: string;
  readonly turnId: string;
  readonly recorded: readonly SaidEvent[];
  readonly events: readonly SaidEvent[];
  /** Number of events in the turn that its loop did not emit and that are therefore not compared. */
  readonly others: number;
  readonly difference?: Difference;
}

/** Optional parts of a packed turn. The document contains no data of excluded parts. */
export interface PackOptions {
  /** Whether to include the earlier messages of the chat. */
  readonly earlier: boolean;
  /** Whether to include the model's input besides the conversation: the system prompt, the tools, and notes of plugins. */
  readonly requests: boolean;
  /** Whether to include the outputs of calls: file contents, command output, pages. */
  readonly results: boolean;
  /** Replaces characters that must not be readable. Contract: keeps the length, and valid JSON stays valid. */
  mask(text: string): string;
}

export interface PackedTurn {
  readonly turn: TurnTest;
  /** Time in milliseconds since 1970. */
  readonly endedAt: number;
  /** First difference between the replayed turn and its journal; omitted if they are byte-identical. */
  readonly difference?: Difference;
}

/** Service of the replay plugin, which records turns. */
export interface TurnRecords {
  /**
   * Packs a completed turn with all data that is needed to replay it elsewhere. `expected` is the result of replaying exactly that data once. Masks known and
   * likely secrets. Rejects with `REPLAY_ERR_NO_RECORD`, `REPLAY_ERR_NOT_FOUND`, and `REPLAY_ERR_INVALID_CHANGE` if the masking prevents the replay.
   * @param turnId id of the turn; default, also for `last`: the newest recorded turn
   */
  pack(chatId: string | undefined, turnId: string | undefined, options: PackOptions): Promise<PackedTurn>;
  /**
   * Replays a packed turn without calling a model or a tool. Rejects with `REPLAY_ERR_INVALID_CHANGE` if the document is invalid.
   * @param packed untrusted JSON
   */
  play(packed: unknown): Promise<Replayed>;
  /** Returns the values that records must not contain: the API key, and secret values in `.env`. */
  secrets(): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    turnRecords: TurnRecords;
  }
}
