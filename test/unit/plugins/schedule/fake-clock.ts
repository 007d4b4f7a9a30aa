// A clock controlled by the test, with the scheduler on it.
import type { Job } from 'agent-harness/plugins/schedule';
import { nextOfPattern } from '../../../../plugins/schedule/cron.ts';
import { createScheduler, type DueTimes, type Scheduler } from '../../../../plugins/schedule/scheduler.ts';

export interface World {
  readonly scheduler: Scheduler;
  readonly kept: () => DueTimes;
  readonly faults: string[];
  now(): number;
  /** Advances by the given milliseconds, timer by timer. */
  pass(ms: number): Promise<void>;
  /** Sets the clock without firing timers. */
  set(to: number): void;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
};

export function createWorld(options: { readonly kept?: DueTimes; readonly at?: number; readonly jobs?: readonly Job[] } = {}): World {
  let now = options.at ?? Date.UTC(2026, 0, 1, 12);
  let kept: DueTimes = options.kept ?? {};
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  const faults: string[] = [];
  const scheduler = createScheduler({
    clock: {
      now: () => now,
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    nextOfPattern,
    kept,
    keep: (next) => Promise.resolve(void (kept = JSON.parse(JSON.stringify(next)) as DueTimes)),
    runAs: (_plugin, work) => work(),
    onFault: (job, plugin, why) => faults.push(`${job} of ${plugin}: ${why}`),
    onUnkept: (fault) => faults.push(String(fault)),
  });
  for (const job of options.jobs ?? []) scheduler.add(job, 'owner');
  return {
    scheduler,
    kept: () => kept,
    faults,
    now: () => now,
    set: (to) => void (now = to),
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.work();
        await settle();
      }
      now = end;
    },
  };
}
