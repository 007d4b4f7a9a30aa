// The clock: current time and wake-ups.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `wake` once, not before that time; a distant one may fire early, so the caller checks again. Returns the cancel function. */
  wakeAt(time: number, wake: () => void): () => void;
}

/** The longest timer that node supports. */
const longestMs = 2 ** 31 - 1;

/** Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    const timer = setTimeout(wake, Math.min(longestMs, Math.max(0, time - Date.now())));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
