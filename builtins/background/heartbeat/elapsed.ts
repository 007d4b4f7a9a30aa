// Calculates elapsed time independently of clock changes. Pure.

/**
 * Returns the minimum elapsed time in milliseconds between two machine uptimes. If the newer one is smaller, the machine
 * was restarted in between, and its uptime is that minimum.
 */
export function elapsedMs(since: number, now: number): number {
  return now >= since ? now - since : now;
}
