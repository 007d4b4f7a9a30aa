// Registers the scheduler: runs contributed jobs from shortly after the start of the app until it stops.
import { join } from 'node:path';
import type { Emitter, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type { Job } from 'agent-harness/plugins/schedule';
import type {} from 'agent-harness/plugins/storage';
import { faultOfJob } from './job-fault.ts';
import type { manifest } from './manifest.ts';
import type { DueTimes, Scheduler } from './scheduler.ts';
import { startTimer } from './start-timer.ts';

export { manifest } from './manifest.ts';

/** Delay after the start of the app, in milliseconds, before the scheduler is loaded. */
const settleMs = 1_000;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const jobs = new Map<Job, string>();
  const turns = new Set<string>();
  let stopWaiting = (): void => undefined;
  let made: Promise<Scheduler> | undefined;
  const use = (work: (scheduler: Scheduler) => void): void => void made?.then(work).catch(warn);

  function warn(fault: unknown): void {
    registry.log.warn(`the scheduler could not start: ${String(fault)}`);
  }

  async function begin(): Promise<Scheduler> {
    const { kernel, product, storage } = registry.services;
    const path = join(product.home, 'schedule.json');
    const [{ createScheduler, isDueTimes }, { nextOfPattern }] = await Promise.all([import('./scheduler.ts'), import('./cron.ts')]);
    const scheduler = createScheduler({
      clock: { now: Date.now, after: startTimer },
      nextOfPattern,
      kept: (await storage.readJson<DueTimes>(path, isDueTimes)) ?? {},
      keep: (kept) => storage.writeJson(path, kept),
      runAs: (plugin, work, what) => kernel.runAs(plugin, work, what),
      onFault(job, plugin, why) {
        const { code, message } = registry.error('JOB_FAILED', { job, plugin, why });
        registry.log.warn(message);
        emitter.emit('error', { source: 'plugin', plugin, code, message });
      },
      onUnkept: warn,
    });
    for (const [job, plugin] of jobs) scheduler.add(job, plugin);
    if (turns.size > 0) scheduler.setBusy(true);
    return scheduler;
  }

  async function end(): Promise<void> {
    stopWaiting();
    const former = made;
    made = undefined;
    await (await former?.catch(() => undefined))?.stop();
  }

  registry.provide('jobs', () => ({ list: () => [...jobs].map(([{ name, when }, plugin]) => ({ name, when, plugin })) }));
  registry.point('job', {
    validate: (job) => faultOfJob(job, [...jobs.keys()]),
    added(job, plugin) {
      jobs.set(job, plugin);
      use((scheduler) => scheduler.add(job, plugin));
    },
    removed(job) {
      jobs.delete(job);
      use((scheduler) => scheduler.remove(job));
    },
  });
  emitter.on('turn_start', ({ turnId }) => {
    if (turns.add(turnId).size === 1) use((scheduler) => scheduler.setBusy(true));
  });
  emitter.on('turn_end', ({ turnId }) => {
    if (turns.delete(turnId) && turns.size === 0) use((scheduler) => scheduler.setBusy(false));
  });
  // The home folder is locked by then, so this is the only scheduler.
  emitter.tap(
    'app.start',
    () => {
      stopWaiting = startTimer(settleMs, () => {
        made = begin();
        made.catch(warn);
      });
    },
    { order: 'post' },
  );
  emitter.tap('app.stop', end, { order: 'pre' });
  registry.defer(end, 'schedule');
}
