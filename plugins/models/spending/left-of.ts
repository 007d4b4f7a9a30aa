// Computes the remaining amount of a budget.
import type { SpendingState } from '../contract.ts';

/** Returns USD; `undefined` without a limit. */
export function leftOf({ limit, spent, held }: SpendingState): number {
  return Math.max(0, limit - spent - held);
}
