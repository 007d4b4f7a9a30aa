// Waits for work of others, but not for long once the turn is aborted.

/** How long the taps of a hook may go on once the turn is aborted, in milliseconds. */
export const hookGraceMs = 100;

/**
 * Answers what `work` answers. Once the signal is aborted the work has `graceMs` left; then this rejects with the signal's
 * reason and leaves it behind.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), graceMs);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
