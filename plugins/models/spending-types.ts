// Declares the types of spending caps and their state. Part of the contract.

/**
 * Contribution point `spending_cap`: limits the cost of model calls with certain purposes. The estimate of a call is reserved before the call is sent, so that
 * concurrent
 * calls cannot exceed a cap together. A call is limited to a shorter reply instead of refused, as long as some hundred tokens are affordable.
 */
export interface SpendingCap {
  /** Unique display name: `memory`. */
  readonly name: string;
  /** A day begins at midnight in the time zone of the machine; a chat counts from its beginning. */
  readonly per: 'day' | 'chat';
  /** Purposes of the counted requests; `others`: those that no cap names. */
  readonly purposes: readonly string[] | 'others' | 'all';
  /** Name of the variable that sets the limit, for display. */
  readonly source: string;
  /** Returns the limit in USD; 0: no limit. Called for each model call. */
  limit(): number;
}

/** The state of a cap, in USD. */
export interface SpendingState {
  readonly name: string;
  readonly per: SpendingCap['per'];
  readonly source: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly spent: number;
  /** Amount reserved for calls in progress. */
  readonly held: number;
  /** ISO 8601; only for a daily cap. */
  readonly resetsAt?: string;
}

/** Event `budget_warning`: 80 or 95 percent of a cap are spent. Emitted once for each percentage, to the chat of the call. */
export interface BudgetWarning {
  readonly chatId: string;
  readonly turnId?: string;
  readonly cap: string;
  readonly source: string;
  readonly percent: number;
  /** In USD. */
  readonly spent: number;
  readonly limit: number;
  readonly resetsAt?: string;
}
