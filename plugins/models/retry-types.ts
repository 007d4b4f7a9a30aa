// Declares the type of a wait before a retry.

/** The wait of a turn before it retries a model request. */
export interface RetryWait {
  readonly chatId: string;
  readonly turnId: string;
  readonly attempt: number;
  readonly of: number;
  /** Description of the provider's fault. */
  readonly reason: string;
  /** Whether the fault is a rate limit of the provider. */
  readonly isLimit: boolean;
  /** End of the wait (ISO 8601). */
  readonly until: string;
}
