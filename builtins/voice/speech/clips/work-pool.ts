// Limits concurrent jobs, and queues the others in order of arrival.

export interface WorkPool {
  /** Waits for a free lane, works, and releases it. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createWorkPool(most: number): WorkPool {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return {
    async run(work) {
      if (busy < most) busy++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // The next one takes over this lane directly.
        if (next) next();
        else busy--;
      }
    },
  };
}
