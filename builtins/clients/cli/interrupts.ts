// Counts repeated Ctrl-C presses.

/**
 * Calls `onInterrupt` for each Ctrl-C, `onStop` for other termination requests. Returns the function that ends it. Meanwhile
 * Ctrl-C does not end the process by itself.
 */
export function watchInterrupts(signal: AbortSignal, onInterrupt: () => void, onStop: () => void): () => void {
  let isFromKeyboard = false;
  const onSigint = (): void => {
    isFromKeyboard = true;
    onInterrupt();
  };
  // The program also aborts the signal for Ctrl-C, which was counted already.
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
