// What waits before a provider is asked again.

/** A turn that waits before a provider is asked again. */
export interface RetryWait {
  readonly chatId: string;
  readonly turnId: string;
  readonly attempt: number;
  readonly of: number;
  /** What the provider did. */
  readonly reason: string;
  /** It limits how often it is asked; else it failed. */
  readonly isLimit: boolean;
  /** ISO 8601 */
  readonly until: string;
}
