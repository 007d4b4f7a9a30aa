// Computes the due times of jobs, and runs them. Independent of files and the real clock.
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Job } from 'agent-harness/plugins/schedule';

export interface Clock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Calls `work` after `ms` milliseconds; returns the function that cancels the call. */
  after(ms: number, work: () => void): () => void;
}

/** Due times by job name. `when` is the timing as JSON; a job whose timing changed starts anew. */
export type DueTimes = Readonly<Record<string, { readonly dueAt: number; readonly when: string }>>;

export interface SchedulerParts {
  readonly clock: Clock;
  nextOfPattern(pattern: string, timeZone: string | undefined, from: number): Promise<number | undefined>;
  readonly kept: DueTimes;
  keep(kept: DueTimes): Promise<void>;
  runAs<T>(plugin: string, work: () => T, what: string): T;
  /** Called when a job fails; only once until the job succeeds or fails differently. */
  onFault(job: string, plugin: string, why: string): void;
  onUnkept(fault: unknown): void;
}

export interface Scheduler {
  add(job: Job, plugin: string): void;
  /** Removes a job, and aborts its run. */
  remove(job: Job): void;
  /** Specifies whether a turn is running. */
  setBusy(isBusy: boolean): void;
  /** Stops all jobs. Resolves when no run is in progress, or after five seconds. Aborted runs are due again. */
  stop(): Promise<void>;
}

interface Row {
  readonly job: Job;
  readonly plugin: string;
  /** Due time in milliseconds since 1970; `Infinity` while the job does not wait for a time. */
  dueAt: number;
  run?: { readonly end: AbortController; readonly done: Promise<void> } | undefined;
  lastFault?: string | undefined;
}

/** Maximum duration of a timer in milliseconds. It limits the time after which a changed clock or a suspended machine is detected. */
const maxTimerMs = 60 * 60_000;
const stopMs = 5_000;

export function createScheduler(parts: SchedulerParts): Scheduler {
  const { clock } = parts;
  const rows = new Map<Job, Row>();
  /** Current runs of removed jobs, by name. A job with the same name in a reloaded plugin must wait for them. */
  const leaving = new Map<string, Promise<void>>();
  let kept = parts.kept;
  let isOver = false;
  let isBusy = false;
  let cancel: (() => void) | undefined;
  const writing = createSerialQueue();

  function keep(row: Row): Promise<unknown> {
    const { [row.job.name]: _, ...others } = kept;
    const next = (kept = Number.isFinite(row.dueAt) ? { ...others, [row.job.name]: { dueAt: row.dueAt, when: JSON.stringify(row.job.when) } } : others);
    return writing.run(() => parts.keep(next)).catch(parts.onUnkept);
  }

  /** Returns the next due time. @param from time of the last run in milliseconds since 1970; `undefined` for a job that never ran */
  async function dueAfter({ when }: Job, from: number | undefined): Promise<number> {
    if ('everyMs' in when) return from === undefined ? clock.now() : from + when.everyMs;
    if ('cron' in when) return (await parts.nextOfPattern(when.cron, when.timeZone, from ?? clock.now())) ?? Infinity;
    return from === undefined && !isBusy ? clock.now() + when.idleMs : Infinity;
  }

  async function place(row: Row): Promise<void> {
    const { name, when } = row.job;
    const known = Object.hasOwn(kept, name) ? kept[name] : undefined;
    try {
      if (known?.when !== JSON.stringify(when) || 'idleMs' in when) row.dueAt = await dueAfter(row.job, undefined);
      // If the clock was set back, the job must not wait longer than its interval.
      else row.dueAt = 'everyMs' in when ? Math.min(known.dueAt, clock.now() + when.everyMs) : known.dueAt;
      if ('cron' in when && rows.has(row.job)) await keep(row);
    } catch (fault) {
      reportFault(row, fault);
    }
    plan();
  }

  function plan(): void {
    cancel?.();
    cancel = undefined;
    if (isOver) return;
    const waiting = [...rows.values()].filter((row) => !row.run);
    for (const row of waiting) if (row.dueAt <= clock.now()) begin(row);
    const next = Math.min(...waiting.flatMap((row) => (row.run ? [] : [row.dueAt])));
    if (next < Infinity) cancel = clock.after(Math.min(maxTimerMs, Math.max(0, next - clock.now())), plan);
  }

  function begin(row: Row): void {
    const end = new AbortController();
    const done = work(row, end.signal).finally(() => {
      row.run = undefined;
      plan();
    });
    row.run = { end, done };
  }

  async function work(row: Row, signal: AbortSignal): Promise<void> {
    const { job, plugin, dueAt } = row;
    const isKept = !('idleMs' in job.when);
    try {
      await leaving.get(job.name);
      row.dueAt = await dueAfter(job, clock.now());
      // Stored before the run, because a job that crashes the process must not do so at each start.
      if (isKept) await keep(row);
      if (!signal.aborted) await parts.runAs(plugin, () => job.run({ signal, dueAt }), 'job');
      row.lastFault = undefined;
    } catch (fault) {
      if (!signal.aborted) reportFault(row, fault);
    }
    if (!isOver || !signal.aborted || !isKept) return;
    row.dueAt = dueAt;
    await keep(row);
  }

  function reportFault(row: Row, fault: unknown): void {
    const why = messageOf(fault);
    if (row.lastFault !== why) parts.onFault(row.job.name, row.plugin, why);
    row.lastFault = why;
  }

  return {
    add(job, plugin) {
      const row: Row = { job, plugin, dueAt: Infinity };
      rows.set(job, row);
      void place(row);
    },
    remove(job) {
      const run = rows.get(job)?.run;
      run?.end.abort();
      rows.delete(job);
      if (run) {
        const done = run.done.then(() => void (leaving.get(job.name) === done && leaving.delete(job.name)));
        leaving.set(job.name, done);
      }
      plan();
    },
    setBusy(next) {
      isBusy = next;
      for (const row of rows.values()) {
        if (!('idleMs' in row.job.when)) continue;
        if (next) row.run?.end.abort();
        row.dueAt = next ? Infinity : clock.now() + row.job.when.idleMs;
      }
      plan();
    },
    async stop() {
      isOver = true;
      cancel?.();
      const running = [...rows.values()].flatMap(({ run }) => run ?? []);
      const ended = [...running.map(({ done }) => done), ...leaving.values()];
      for (const { end } of running) end.abort();
      let giveUp = (): void => undefined;
      const patience = new Promise<void>((resolve) => (giveUp = clock.after(stopMs, resolve)));
      await Promise.race([Promise.all(ended), patience]);
      giveUp();
      await writing.idle();
    },
  };
}

/** Returns whether a value has the format of `schedule.json`. */
export function isDueTimes(value: unknown): value is DueTimes {
  if (!isRecord(value)) return false;
  return Object.values(value).every((one: unknown) => {
    const { dueAt, when } = Object(one) as Record<string, unknown>;
    return Number.isFinite(dueAt) && typeof when === 'string';
  });
}
