// Measures time limits by the availability of the event loop, so that a suspended or overloaded machine does not use up a limit.

/** Number of ticks into which a time limit is divided. */
const ticksPerLimit = 50;
const leastTickMs = 5;

/**
 * Calls `expire` after `ms` milliseconds. A tick that is delayed by more than its own length does not count, because the event loop was busy or the process was
 * suspended.
 * @returns a function that stops the clock
 */
export function startClock(ms: number, expire: () => void): () => void {
  const tickMs = Math.max(leastTickMs, ms / ticksPerLimit);
  let timer: NodeJS.Timeout;
  const next = (leftMs: number): void => {
    const length = Math.min(tickMs, leftMs);
    const dueAt = performance.now() + length;
    timer = setTimeout(() => {
      const left = performance.now() - dueAt <= tickMs ? leftMs - length : leftMs;
      if (left > 0) next(left);
      else expire();
    }, length);
  };
  next(ms);
  return () => clearTimeout(timer);
}

/** Rejects with `late()` if `work` takes longer than `ms`. The work itself continues. */
export async function withTimeout<T>(work: PromiseLike<T>, ms: number, late: () => Error): Promise<T> {
  let stop: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    stop = startClock(ms, () => reject(late()));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    stop?.();
  }
}
