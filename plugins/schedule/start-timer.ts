// The real clock of the schedule; tests inject another.

/** @param ms milliseconds. @returns the function that stops it, owned by the caller */
export function startTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
