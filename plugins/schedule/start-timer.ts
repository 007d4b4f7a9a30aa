// Starts timers for the scheduler.

/** Calls `work` after `ms` milliseconds. Returns the function that stops the timer. */
export function startTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
