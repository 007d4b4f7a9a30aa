// Types of spending caps and their state. Part of the contract.

/**
 * Contribution point `spending_cap`: limits the cost of model calls of some purposes. The estimate of a call is reserved before it is sent, so concurrent
 * calls cannot exceed a cap together; the call is limited to a shorter reply rather than refused, as long as some hundred tokens are affordable.
 */
export interface SpendingCap {
  /** Display name: `memory`. Unique. */
  readonly name: string;
  /** A day begins at midnight in the zone of the machine; a chat counts from its beginning. */
  readonly per: 'day' | 'chat';
  /** Purposes of the counted requests; `others`: those not named by any cap. */
  readonly purposes: readonly string[] | 'others' | 'all';
  /** Name of the variable that sets it, for display. */
  readonly source: string;
  /** USD; 0: no limit. Read for each call. */
  limit(): number;
}

/** The state of a cap. USD. */
export interface SpendingState {
  readonly name: string;
  readonly per: SpendingCap['per'];
  readonly source: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly spent: number;
  /** Reserved for calls in progress. */
  readonly held: number;
  /** ISO 8601; for a daily cap. */
  readonly resetsAt?: string;
}

/** Event `budget_warning`: 80 or 95 percent of a cap are spent; emitted once for each, to the chat of the call. */
export interface BudgetWarning {
  readonly chatId: string;
  readonly turnId?: string;
  readonly cap: string;
  readonly source: string;
  readonly percent: number;
  /** USD. */
  readonly spent: number;
  readonly limit: number;
  readonly resetsAt?: string;
}
