// Which model calls somebody asks about, and what one was. Part of the contract.

/** All that are left out count. */
export interface UsageFilter {
  /** ISO 8601. */
  readonly since?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  readonly purpose?: string;
  /** The agent's are those that no other plugin asked for. */
  readonly plugin?: string;
  readonly model?: string;
}

export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** USD, where the provider says. */
  readonly cost?: number;
}

export interface UsageRow extends ModelUsage {
  readonly at: string;
  /** USD by the price of the model, where the provider says none; worked out only while a cap is set. Of a call that was cut off, too. */
  readonly estimate?: number;
  readonly purpose: string;
  /** The plugin that asked; the agent when left out. */
  readonly plugin?: string;
  readonly model: string;
  readonly chatId?: string;
  readonly turnId?: string;
}
