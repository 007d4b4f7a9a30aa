// Counts repeated Ctrl-C presses.

/**
 * Calls `onInterrupt` on each Ctrl-C, and `onStop` on other termination requests. Returns a function that stops watching. While watching, Ctrl-C does not
 * terminate the process by itself.
 */
export function watchInterrupts(signal: AbortSignal, onInterrupt: () => void, onStop: () => void): () => void {
  let isFromKeyboard = false;
  const onSigint = (): void => {
    isFromKeyboard = true;
    onInterrupt();
  };
  // The program also aborts the signal on Ctrl-C, which has already been counted.
  const onAbort = (): void => {
    if (!isFromKeyboard) onStop();
  };
  process.prependListener('SIGINT', onSigint).prependListener('SIGTERM', onStop);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onStop();
  return () => {
    process.removeListener('SIGINT', onSigint).removeListener('SIGTERM', onStop);
    signal.removeEventListener('abort', onAbort);
  };
}
