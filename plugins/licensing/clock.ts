// Provides the current time and wake-ups to licensing.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `wake` once, not before that time. A distant wake-up may come early, so the caller checks the time again. Returns the cancel function. */
  wakeAt(time: number, wake: () => void): () => void;
}

/** Maximum duration of a timer in node. */
const longestMs = 2 ** 31 - 1;

/** The timers of this clock do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    const timer = setTimeout(wake, Math.min(longestMs, Math.max(0, time - Date.now())));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
