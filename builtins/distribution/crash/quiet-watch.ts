// Knows whether code of plugins from outside has run lately: what ends a program in which nothing of them runs is hardly theirs.

export interface QuietWatch {
  /** Code of a plugin is about to run in this process, or a thread of one to begin. Costs one comparison, but for the first after a rest. */
  works(): void;
  /** A thread of a plugin is there: who knows what it does. Until the answer is called. */
  runs(): () => void;
  /** Tells each change from now on, at the latest as the work begins. Until the answer is called. */
  follow(hear: (isQuiet: boolean) => void): () => void;
}

/** Without work for so long nothing runs, in milliseconds. */
const restMs = 1_000;

export function createQuietWatch(): QuietWatch {
  let hear: ((isQuiet: boolean) => void) | undefined;
  let isQuiet = false;
  let hasWorked = false;
  let threads = 0;
  let timer: NodeJS.Timeout | undefined;

  /** Only while something is to be waited for: an idle program is not woken. */
  function wait(): void {
    if (!hear || timer || threads > 0) return;
    hasWorked = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (threads > 0) return;
      if (hasWorked) return wait();
      isQuiet = true;
      hear?.(true);
    }, restMs).unref();
  }

  function works(): void {
    hasWorked = true;
    if (!isQuiet) return;
    isQuiet = false;
    hear?.(false);
    wait();
  }

  return {
    works,
    runs() {
      works();
      threads++;
      return () => {
        threads--;
        wait();
      };
    },
    follow(listener) {
      hear = listener;
      isQuiet = false;
      wait();
      return () => {
        clearTimeout(timer);
        timer = undefined;
        hear = undefined;
      };
    },
  };
}
