// Combines several abort signals into one while some work runs.

/** Runs work with a combined signal, and leaves no listeners on longer-lived signals. `end` aborts the combined signal from within. */
export async function withSignals<T>(signals: readonly AbortSignal[], run: (signal: AbortSignal, end: (reason: unknown) => void) => Promise<T>): Promise<T> {
  const joined = new AbortController();
  const listeners = signals.map((signal) => ({ signal, onAbort: () => joined.abort(signal.reason) }));
  for (const { signal, onAbort } of listeners) {
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  }
  try {
    return await run(joined.signal, (reason) => joined.abort(reason));
  } finally {
    for (const { signal, onAbort } of listeners) signal.removeEventListener('abort', onAbort);
  }
}
