// Batches concurrent calls into one database statement: new calls are collected while a statement runs.

/**
 * Returns a function that adds an item to the next statement of its key, and resolves with its result.
 *
 * @param run resolves with one result per item, in order; a rejection applies to all items
 * @param most maximum number of items of one statement
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
          if (result === undefined) reject(new Error('the statement returned no result for an item'));
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
