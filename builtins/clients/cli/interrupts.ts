// Ctrl-C as something a person says more than once.

/**
 * `onInterrupt` for each Ctrl-C, `onStop` when the program is asked to end in another way. The answer ends it. While it
 * watches, Ctrl-C does not end the process by itself.
 */
export function watchInterrupts(signal: AbortSignal, onInterrupt: () => void, onStop: () => void): () => void {
  let isFromKeyboard = false;
  const onSigint = (): void => {
    isFromKeyboard = true;
    onInterrupt();
  };
  // The program aborts the signal for Ctrl-C, too; that one was counted already.
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
