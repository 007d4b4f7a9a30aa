// Declares the types of usage rows and their filter. Part of the contract.

/** Filter of usage rows; an omitted field matches all rows. */
export interface UsageFilter {
  /** Start of the period (ISO 8601). */
  readonly since?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  readonly purpose?: string;
  /** Name of the calling plugin; calls without a plugin belong to `agent`. */
  readonly plugin?: string;
  readonly model?: string;
}

export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** Cost in USD, if the provider reported it. */
  readonly cost?: number;
}

export interface UsageRow extends ModelUsage {
  readonly at: string;
  /** Estimated cost in USD, if the provider reported no cost and a cap is set. Also set if a call was aborted. */
  readonly estimate?: number;
  readonly purpose: string;
  /** The calling plugin; default: the agent. */
  readonly plugin?: string;
  readonly model: string;
  readonly chatId?: string;
  readonly turnId?: string;
}
