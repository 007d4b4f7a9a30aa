// Types of waits before a provider is retried.

/** A turn that waits before a provider is retried. */
export interface RetryWait {
  readonly chatId: string;
  readonly turnId: string;
  readonly attempt: number;
  readonly of: number;
  /** The provider's fault. */
  readonly reason: string;
  /** A rate limit; otherwise a failure. */
  readonly isLimit: boolean;
  /** ISO 8601 */
  readonly until: string;
}
