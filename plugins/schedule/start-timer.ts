// Starts real timers for the schedule; tests inject others.

/** @param ms milliseconds. @returns the function that stops the timer, owned by the caller */
export function startTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
