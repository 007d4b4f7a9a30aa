// Declares the types of usage rows and their filter. Part of the contract.

/** Filter of usage rows; fields left out match all rows. */
export interface UsageFilter {
  /** ISO 8601. */
  readonly since?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  readonly purpose?: string;
  /** Calls without another plugin belong to the agent. */
  readonly plugin?: string;
  readonly model?: string;
}

export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** In USD, if the provider reported it. */
  readonly cost?: number;
}

export interface UsageRow extends ModelUsage {
  readonly at: string;
  /** USD by the price of the model, if the provider reports no cost; only while a cap is set. Also for an aborted call. */
  readonly estimate?: number;
  readonly purpose: string;
  /** The calling plugin; left out: the agent. */
  readonly plugin?: string;
  readonly model: string;
  readonly chatId?: string;
  readonly turnId?: string;
}
