// A few pieces of work at a time, the others in the order in which they came.

export interface WorkPool {
  /** Waits for a free lane, works, and leaves it. */
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
        // Whoever comes next takes this very lane.
        if (next) next();
        else busy--;
      }
    },
  };
}
