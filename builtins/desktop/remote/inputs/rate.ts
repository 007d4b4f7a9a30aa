// Limits the rate of something per second, allowing a burst of one second's worth.

export interface Bucket {
  /** Whether there is one more. */
  take(): boolean;
}

/** @param now milliseconds of a monotonic clock */
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
