// Time that no change of the clock can shorten. Pure.

/**
 * How much has passed at least, in milliseconds. Both are readings of how long the machine has been up: where the newer one is
 * smaller, it was started again in between, and has been up for that long since.
 */
export function elapsedMs(since: number, now: number): number {
  return now >= since ? now - since : now;
}
