// What is left of a budget, for whoever tells it.
import type { SpendingState } from '../contract.ts';

/** USD; of one without a limit there is no such sum. */
export function leftOf({ limit, spent, held }: SpendingState): number {
  return Math.max(0, limit - spent - held);
}
