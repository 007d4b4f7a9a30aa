// Defines the contract of the critic, which checks an answer before its turn ends.

export interface CriticVerdict {
  readonly chatId: string;
  readonly turnId: string;
  readonly ok: boolean;
  /** Problems as sentences for users, at most 12; empty if none was found. */
  readonly problems: readonly string[];
  /** Whether the answer was returned to the model for another round. */
  readonly isSentBack: boolean;
}

declare module 'agent-harness/kernel' {
  interface Events {
    /** Emitted after an answer was checked. */
    critic_verdict: CriticVerdict;
  }
}
