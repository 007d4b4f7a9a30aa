// Declares the type of a wait before a retry.

/** A turn that waits before a provider is retried. */
export interface RetryWait {
  readonly chatId: string;
  readonly turnId: string;
  readonly attempt: number;
  readonly of: number;
  /** Description of the provider's fault. */
  readonly reason: string;
  /** True for a rate limit, false for a failure. */
  readonly isLimit: boolean;
  /** End of the wait, ISO 8601. */
  readonly until: string;
}
