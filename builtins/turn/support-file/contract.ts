// Defines the contract of support bundles: optional sections about a failed turn, which plugins add.
export interface SupportedTurn {
  readonly chatId: string;
  readonly turnId: string;
  /** Start of the turn in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Contribution point `support_part`: a section that is excluded from a bundle until the user has reviewed and selected it. */
export interface SupportPart {
  /** Unique name of the section's field in the file: camelCase, at most 40 characters. */
  readonly name: string;
  readonly title: string;
  /** One sentence about the content and about sensitive data that it may contain. */
  readonly description: string;
  /**
   * Returns JSON of at most 1 MB, within 10 s. Contract: returns the same for the same turn as long as nothing changes, because the preview must equal the
   * file. The caller masks secrets, paths of the home folder and redacted words.
   */
  read(turn: SupportedTurn): unknown;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    support_part: SupportPart;
  }
}
