// Which model calls somebody asks about. Part of the contract.

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
