// What others may have of recorded turns: one as a document that stands by itself, and such a document played.
import type { Difference, Replayed, TurnTest } from './played-types.ts';

export type { Difference, Replayed, TurnTest } from './played-types.ts';
export type { SaidEvent } from './played-parts.ts';

/** What of a turn goes along beside what it said and was said to it; whatever is left out is not in the document in any form. */
export interface PackOptions {
  /** The messages of the chat before it. */
  readonly earlier: boolean;
  /** What the model was told beside the conversation: the system prompt, the tools, notes of plugins. */
  readonly requests: boolean;
  /** What its calls answered: contents of files, output of commands, pages. */
  readonly results: boolean;
  /** Gives a text with other signs in the places of those that are to be read by nobody. Contract: as long as it was, and valid in JSON. */
  mask(text: string): string;
}

export interface PackedTurn {
  readonly turn: TurnTest;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
  /** Where the turn, run again from its record, differs from its journal; left out where it is the same to the byte. */
  readonly difference?: Difference;
}

/** Of the plugin that records turns. */
export interface TurnRecords {
  /**
   * A turn that is over, with all that plays it elsewhere; it is played once from exactly that, and what comes of it is `expected`. Secrets that are
   * known or look like one are masked. Rejects with `REPLAY_ERR_NO_RECORD`, `REPLAY_ERR_NOT_FOUND`, and `REPLAY_ERR_INVALID_CHANGE` where what is masked
   * keeps it from being played.
   * @param turnId the newest recorded turn when left out, or `last`
   */
  pack(chatId: string | undefined, turnId: string | undefined, options: PackOptions): Promise<PackedTurn>;
  /** Plays a packed turn; asks no model and runs nothing. Rejects with `REPLAY_ERR_INVALID_CHANGE` where it is none. @param packed JSON from anybody */
  play(packed: unknown): Promise<Replayed>;
  /** Values that are kept out of records by what they are: the key, and what `.env` holds beside plain settings. */
  secrets(): Promise<readonly string[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    turnRecords: TurnRecords;
  }
}
