// Types of usage rows and their filter. Part of the contract.

/** Fields left out match everything. */
export interface UsageFilter {
  /** ISO 8601. */
  readonly since?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  readonly purpose?: string;
  /** The agent's calls are those without another plugin. */
  readonly plugin?: string;
  readonly model?: string;
}

export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** USD, if reported by the provider. */
  readonly cost?: number;
}

export interface UsageRow extends ModelUsage {
  readonly at: string;
  /** USD by the price of the model, if the provider reports none; computed only while a cap is set. Also for an aborted call. */
  readonly estimate?: number;
  readonly purpose: string;
  /** The calling plugin; the agent when left out. */
  readonly plugin?: string;
  readonly model: string;
  readonly chatId?: string;
  readonly turnId?: string;
}
