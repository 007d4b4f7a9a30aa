// A file for whoever helps: what a plugin has to say about a turn that went wrong, where a person ticks that.
export interface SupportedTurn {
  readonly chatId: string;
  readonly turnId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Contribution point `support_part`: off in each file until a person ticks it, having seen it. */
export interface SupportPart {
  /** camelCase, unique, at most 40 characters: the field of the file. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What is in it and what it may give away, in a sentence. */
  readonly description: string;
  /**
   * JSON of at most 1 MB, waited for no longer than 10 s. Contract: the same for the same turn as long as nothing happens, since what is shown is what is
   * written. Secrets, paths of the home folder and struck words are masked by whoever asks.
   */
  read(turn: SupportedTurn): unknown;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    support_part: SupportPart;
  }
}
