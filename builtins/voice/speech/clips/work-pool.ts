// Limits the number of concurrent jobs, and queues the others in order of arrival.

export interface WorkPool {
  /** Waits until a job may start, runs the job, and lets the next one start. */
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
        if (next) next();
        else busy--;
      }
    },
  };
}
