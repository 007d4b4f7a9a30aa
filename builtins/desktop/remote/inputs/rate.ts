// How many of something there may be a second, with a second's worth at once.

export interface Bucket {
  /** Whether there is one more. */
  take(): boolean;
}

/** @param now milliseconds of a clock that nobody sets */
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
