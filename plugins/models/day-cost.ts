// What the model calls of the day cost: read from the log once, then counted along.
import type { UsageRow } from './contract.ts';
import type { UsageLog } from './usage-log.ts';

export interface DayCost {
  /** USD since midnight UTC. */
  today(): Promise<number>;
  /** Of a row that is in the log. */
  add(row: Pick<UsageRow, 'at' | 'cost'>): void;
}

export function createDayCost(usageLog: Pick<UsageLog, 'rows'>, now: () => Date = () => new Date()): DayCost {
  let day = '';
  let sum = 0;
  let reading: Promise<void> | undefined;
  const dayOf = (at: string): string => at.slice(0, 10);

  async function read(of: string): Promise<void> {
    let found = 0;
    for await (const { at, cost = 0 } of usageLog.rows({ since: of })) if (dayOf(at) === of) found += cost;
    [day, sum] = [of, found];
  }

  return {
    async today() {
      const current = dayOf(now().toISOString());
      if (day !== current) await (reading ??= read(current).finally(() => (reading = undefined)));
      return sum;
    },
    add({ at, cost = 0 }) {
      // Before the log was read, the row will be found there.
      if (dayOf(at) === day) sum += cost;
    },
  };
}
