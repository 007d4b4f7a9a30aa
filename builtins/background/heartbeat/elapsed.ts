// Calculates elapsed time independently of clock changes. Pure.

/**
 * Returns the minimum time in milliseconds that elapsed between two machine uptimes. If the newer one is smaller, the machine was restarted in between, and the
 * newer uptime is the minimum.
 */
export function elapsedMs(since: number, now: number): number {
  return now >= since ? now - since : now;
}
