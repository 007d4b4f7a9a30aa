// Defines the contract of support bundles: optional sections that plugins add about a failed turn.
export interface SupportedTurn {
  readonly chatId: string;
  readonly turnId: string;
  /** Start of the turn in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Contribution point `support_part`: a section that each bundle excludes until the user reviews and selects it. */
export interface SupportPart {
  /** Unique name of the section's field in the file: camelCase, at most 40 characters. */
  readonly name: string;
  /** Display title of the section. */
  readonly title: string;
  /** One sentence about the content and possible sensitive data. */
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
