// What model calls may cost, and how that stands. Part of the contract.

/**
 * Contribution point `spending_cap`: what model calls of some purposes may cost. The estimate of a call is held before it is sent, so calls at
 * the same time cannot pass a cap together; the call is asked for a shorter reply rather than refused, as long as some hundred tokens can be paid.
 */
export interface SpendingCap {
  /** For people and clients: `memory`. One of each name. */
  readonly name: string;
  /** A day begins at midnight in the zone of the machine; a chat counts from its beginning. */
  readonly per: 'day' | 'chat';
  /** Of the requests that it counts; `others`: those that no cap names. */
  readonly purposes: readonly string[] | 'others' | 'all';
  /** Where it is set, for people: the name of a variable. */
  readonly source: string;
  /** USD; 0: no limit. Asked for each call. */
  limit(): number;
}

/** How a cap stands. USD. */
export interface SpendingState {
  readonly name: string;
  readonly per: SpendingCap['per'];
  readonly source: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly spent: number;
  /** For calls that are under way. */
  readonly held: number;
  /** ISO 8601; of one for a day. */
  readonly resetsAt?: string;
}

/** Event `budget_warning`: 80 or 95 percent of a cap are spent; told once for each, to the chat whose call it was. */
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
