// Provides the current time and timers to licensing.

export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /**
   * Calls `wake` once at that time. If the time is distant, the call may come early, so the caller must check the time again. Returns the function that cancels
   * the call.
   */
  wakeAt(time: number, wake: () => void): () => void;
}

/** Maximum duration of a timer in Node, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt(time, wake) {
    const timer = setTimeout(wake, Math.min(maxTimerMs, Math.max(0, time - Date.now())));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
