// Combines calls for the same row into one statement: while one is under way, new ones are collected for the next.

/**
 * @param run resolves with as many results as it gets items, in their order. If it rejects, all of them do.
 * @param most items of one statement
 */
export function createBatches<I, R>(run: (items: readonly I[]) => Promise<readonly R[]>, most: number): (key: string, item: I) => Promise<R> {
  interface Waiting {
    readonly item: I;
    resolve(result: R): void;
    reject(fault: unknown): void;
  }
  const lines = new Map<string, Waiting[]>();

  async function work(key: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const batch = line.splice(0, most);
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve, reject }, at) => {
          const result = results[at];
          if (result === undefined) reject(new Error('the database left an answer out'));
          else resolve(result);
        });
      } catch (fault) {
        for (const { reject } of batch) reject(fault);
      }
    }
    lines.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key);
      if (line) {
        line.push({ item, resolve, reject });
        return;
      }
      const fresh: Waiting[] = [{ item, resolve, reject }];
      lines.set(key, fresh);
      void work(key, fresh);
    });
}
