// Calculates elapsed time independently of clock changes. Pure.

/**
 * The minimum time that has passed, in milliseconds. Both are uptime readings of the machine: if the newer one is smaller,
 * the machine was restarted in between, and has been up for that long since.
 */
export function elapsedMs(since: number, now: number): number {
  return now >= since ? now - since : now;
}
