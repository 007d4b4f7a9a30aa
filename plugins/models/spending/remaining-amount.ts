// Computes the remaining amount of a spending cap.
import type { SpendingState } from '../contract.ts';

/** Returns the remaining amount in USD, at least 0. Contract: the cap has a limit. */
export function remainingAmount({ limit, spent, held }: SpendingState): number {
  return Math.max(0, limit - spent - held);
}
