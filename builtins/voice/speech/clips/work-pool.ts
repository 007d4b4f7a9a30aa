// Limits concurrent jobs, and queues the others in order of arrival.

export interface WorkPool {
  /** Waits for a free slot, runs the job, and releases the slot. */
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
        // Passes the slot to the next job.
        if (next) next();
        else busy--;
      }
    },
  };
}
