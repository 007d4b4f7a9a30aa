// Declares the types of spending caps and their state. Part of the contract.

/**
 * Contribution point `spending_cap`: limits the cost of model calls with certain purposes. The estimated cost of a call is reserved before the call is sent, so
 * concurrent calls cannot exceed a cap together. As long as a few hundred tokens are affordable, the reply is limited to them and the call is not rejected.
 */
export interface SpendingCap {
  /** Unique name for display, for example `memory`. */
  readonly name: string;
  /** Period of the cap: `day` (from midnight in the time zone of the machine) or `chat` (all calls of a chat). */
  readonly per: 'day' | 'chat';
  /** Purposes of the counted requests; `others`: those that no cap names. */
  readonly purposes: readonly string[] | 'others' | 'all';
  /** Name of the variable that sets the limit. */
  readonly source: string;
  /** Returns the limit in USD (0: no limit). Called for each model call. */
  limit(): number;
}

/** The state of a cap, in USD. */
export interface SpendingState {
  readonly name: string;
  readonly per: SpendingCap['per'];
  readonly source: string;
  /** Limit in USD; 0: no limit. */
  readonly limit: number;
  readonly spent: number;
  /** Amount reserved for running calls. */
  readonly held: number;
  /** Time at which a daily cap is reset (ISO 8601). */
  readonly resetsAt?: string;
}

/** Event `budget_warning`: 80 or 95 percent of a cap have been spent. Emitted once for each percentage, to the chat of the call. */
export interface BudgetWarning {
  readonly chatId: string;
  readonly turnId?: string;
  readonly cap: string;
  readonly source: string;
  readonly percent: number;
  /** Spent amount in USD. */
  readonly spent: number;
  readonly limit: number;
  readonly resetsAt?: string;
}
