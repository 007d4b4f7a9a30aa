// Limits a rate per second with a token bucket that allows a burst of one second.

export interface Bucket {
  /** Takes a token; returns whether one was available. */
  take(): boolean;
}

/** @param now returns the time of a monotonic clock in milliseconds */
export function createBucket(perSecond: number, now: () => number): Bucket {
  let left = perSecond;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(perSecond, left + ((time - at) * perSecond) / 1_000);
      at = time;
      if (left < 1) return false;
      left--;
      return true;
    },
  };
}
