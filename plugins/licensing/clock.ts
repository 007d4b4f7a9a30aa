// The time, and being woken at one.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `wake` once, not before that time; a far one may wake early, so the caller looks again. Answers what cancels it. */
  wakeAt(time: number, wake: () => void): () => void;
}

/** The longest that a timer can wait. */
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
