// What the critic says about an answer, before the turn ends.

export interface CriticVerdict {
  readonly chatId: string;
  readonly turnId: string;
  readonly ok: boolean;
  /** Sentences for people; at most 12, empty where all is well. */
  readonly problems: readonly string[];
  /** The answer went back to the model for another round. */
  readonly isSentBack: boolean;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** An answer was checked. Not emitted for answers that are not checked. */
    critic_verdict: CriticVerdict;
  }
}
