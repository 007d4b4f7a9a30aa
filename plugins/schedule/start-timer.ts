// The real time of the schedule; tests bring their own.

/** @param ms milliseconds. @returns stops it; the caller owns that */
export function startTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
