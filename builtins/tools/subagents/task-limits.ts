// Limits the number of concurrent tasks and the total number of tasks per turn.

export interface TaskLimits {
  /** Counts a task. Returns whether it may start. */
  count(): boolean;
  /** Waits until a task may start. Resolves with a function that releases the task's slot. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** @param limits live values of the settings */
export function createTaskLimits(limits: { readonly atOnce: number; readonly perTurn: number }): TaskLimits {
  let started = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  function leave(): void {
    running--;
    waiting.shift()?.();
  }

  return {
    count() {
      started++;
      return started <= limits.perTurn;
    },
    async enter(signal) {
      while (running >= limits.atOnce) {
        await new Promise<void>((resolve, reject) => {
          const stop = (): void => {
            waiting.splice(waiting.indexOf(go), 1);
            reject(signal.reason as Error);
          };
          const go = (): void => {
            signal.removeEventListener('abort', stop);
            resolve();
          };
          waiting.push(go);
          signal.addEventListener('abort', stop, { once: true });
          if (signal.aborted) stop();
        });
      }
      signal.throwIfAborted();
      running++;
      let isLeft = false;
      return () => {
        if (!isLeft) leave();
        isLeft = true;
      };
    },
  };
}
