// One run for all who ask at about the same time.

/** Begins `work` at most once in `ms` milliseconds and never twice at once; who asks in between gets what the last run gives. */
export function sharing<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: Promise<T> | undefined;
  let startedAt = 0;
  let isRunning = false;
  return () => {
    if (last && (isRunning || performance.now() - startedAt < ms)) return last;
    startedAt = performance.now();
    isRunning = true;
    last = work().finally(() => (isRunning = false));
    return last;
  };
}
