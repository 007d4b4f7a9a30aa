// The contract of the critic: its verdict on an answer, before the turn ends.

export interface CriticVerdict {
  readonly chatId: string;
  readonly turnId: string;
  readonly ok: boolean;
  /** Sentences for users, at most 12; empty if the critic found no problem. */
  readonly problems: readonly string[];
  /** The critic returned the answer to the model for another round. */
  readonly isSentBack: boolean;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** Emitted after the check of an answer; not for answers that are not checked. */
    critic_verdict: CriticVerdict;
  }
}
