// Limits the duration of a call: measures the time since the last progress, and pauses while the user is being asked.

export interface CallWatch {
  readonly signal: AbortSignal;
  /** Whether the time limit was exceeded. */
  readonly isOver: boolean;
  /** Records progress of the call. */
  touch(): void;
  /** Pauses while the user is being asked; the returned function resumes. */
  pause(): () => void;
  end(): void;
}

/**
 * Limits a call.
 * @param outer signal that also aborts the call
 * @param quietMs maximum time without progress, in milliseconds
 * @param totalMs maximum duration in milliseconds, excluding the time while the user is being asked
 */
export function watchCall(outer: AbortSignal, quietMs: number, totalMs: number): CallWatch {
  const controller = new AbortController();
  let pauses = 0;
  let isOver = false;
  let spentMs = 0;
  let since = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    if (pauses > 0 || controller.signal.aborted) return;
    timer = setTimeout(stop, Math.max(0, Math.min(quietMs, totalMs - spentMs)));
  }
  function count(): void {
    const now = performance.now();
    if (pauses === 0) spentMs += now - since;
    since = now;
  }
  function stop(): void {
    isOver = true;
    controller.abort(new Error('the time limit of the call was exceeded'));
  }
  const onAbort = (): void => controller.abort(outer.reason);
  outer.addEventListener('abort', onAbort, { once: true });
  if (outer.aborted) onAbort();
  arm();

  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    touch() {
      count();
      arm();
    },
    pause() {
      count();
      pauses += 1;
      arm();
      let isDone = false;
      return () => {
        if (isDone) return;
        isDone = true;
        count();
        pauses -= 1;
        arm();
      };
    },
    end() {
      clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
    },
  };
}
