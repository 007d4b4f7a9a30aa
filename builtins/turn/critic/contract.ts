// The contract of the critic: its verdict on an answer, before the turn ends.

export interface CriticVerdict {
  readonly chatId: string;
  readonly turnId: string;
  readonly ok: boolean;
  /** Sentences for users; at most 12, empty if there are none. */
  readonly problems: readonly string[];
  /** The answer was returned to the model for another round. */
  readonly isSentBack: boolean;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** An answer was checked. Not emitted for answers that are not checked. */
    critic_verdict: CriticVerdict;
  }
}
