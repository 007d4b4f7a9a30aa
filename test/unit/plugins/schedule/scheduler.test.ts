import { beforeAll, expect, test } from 'vitest';
import type { Job, JobContext, JobTiming } from 'agent-harness/plugins/schedule';
import { nextOfPattern } from '../../../../plugins/schedule/cron.ts';
import { faultOfJob } from '../../../../plugins/schedule/job-fault.ts';
import { isDueTimes } from '../../../../plugins/schedule/scheduler.ts';
import { createWorld } from './fake-clock.ts';

const minute = 60_000;
const hour = 60 * minute;

// Loads the package beforehand, because loading takes real time.
beforeAll(() => nextOfPattern('* * * * *', undefined, 0));

function noted(when: JobTiming, name = 'note'): { job: Job; runs: number[]; begin: (now: () => number) => Job } {
  const runs: number[] = [];
  const start = Date.UTC(2026, 0, 1, 12);
  let now = (): number => NaN;
  const job: Job = { name, when, run: () => void runs.push((now() - start) / minute) };
  return { job, runs, begin: (clock) => ((now = clock), job) };
}

test('an interval is due immediately, then after each start of a run', async () => {
  const { runs, begin } = noted({ everyMs: 10 * minute });
  const world = createWorld();
  world.scheduler.add(begin(world.now), 'owner');
  await world.pass(35 * minute);
  expect(runs).toEqual([0, 10, 20, 30]);
  await world.scheduler.stop();
  await world.pass(hour);
  expect(runs).toHaveLength(4);
});

test('a restart preserves the due time and runs a missed job once', async () => {
  const first = noted({ everyMs: hour });
  const one = createWorld();
  one.scheduler.add(first.begin(one.now), 'owner');
  await one.pass(10 * minute);
  await one.scheduler.stop();
  const soon = noted({ everyMs: hour });
  const two = createWorld({ kept: one.kept(), at: one.now() });
  two.scheduler.add(soon.begin(two.now), 'owner');
  await two.pass(45 * minute);
  expect([first.runs, soon.runs]).toEqual([[0], []]);
  await two.pass(10 * minute);
  expect(soon.runs).toEqual([60]);
  await two.scheduler.stop();
  const late = noted({ everyMs: hour });
  const three = createWorld({ kept: two.kept(), at: two.now() + 100 * hour });
  three.scheduler.add(late.begin(three.now), 'owner');
  await three.pass(30 * minute);
  expect(late.runs).toHaveLength(1);
});

test('a cron job runs at its times in its time zone, and a changed pattern starts over', async () => {
  const { runs, begin } = noted({ cron: '30 9 * * *', timeZone: 'America/New_York' });
  const world = createWorld();
  world.scheduler.add(begin(world.now), 'owner');
  await world.pass(51 * hour);
  expect(runs).toEqual([150, 150 + 24 * 60, 150 + 48 * 60]);
  expect(world.kept()).toMatchObject({ note: { dueAt: Date.UTC(2026, 0, 4, 14, 30) } });
  await world.scheduler.stop();
  const changed = noted({ cron: '0 * * * *', timeZone: 'UTC' });
  const next = createWorld({ kept: world.kept() });
  next.scheduler.add(changed.begin(next.now), 'owner');
  await next.pass(90 * minute);
  expect(changed.runs).toEqual([60]);
});

test('an invalid pattern is reported once as a fault of its plugin, and other jobs run', async () => {
  const { runs, begin } = noted({ everyMs: hour }, 'other');
  const world = createWorld({ jobs: [{ name: 'odd', when: { cron: 'every tuesday' }, run: () => expect.unreachable() }] });
  world.scheduler.add(begin(world.now), 'owner');
  await world.pass(90 * minute);
  expect(world.faults).toEqual([expect.stringMatching(/^odd of owner: .+/)]);
  expect(runs).toEqual([0, 60]);
});

test('a job never runs concurrently, even across a reload of its plugin', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const slow = (): Job => ({
    name: 'slow',
    when: { everyMs: minute },
    async run() {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    },
  });
  const first = slow();
  const world = createWorld({ jobs: [first] });
  await world.pass(10 * minute);
  expect([running, ends.length]).toEqual([1, 1]);
  world.scheduler.remove(first);
  world.scheduler.add(slow(), 'owner');
  await world.pass(10 * minute);
  expect([running, ends.length]).toEqual([1, 1]);
  ends.shift()?.();
  await world.pass(minute);
  expect([running, most, ends.length]).toEqual([1, 1, 1]);
});

test('stop aborts a run, which is due again at the next start', async () => {
  const seen: string[] = [];
  const job: Job = {
    name: 'long',
    when: { everyMs: 24 * hour },
    run: ({ signal }) =>
      new Promise((resolve) => {
        seen.push('begin');
        signal.addEventListener('abort', () => (seen.push('end'), resolve()));
      }),
  };
  const world = createWorld({ jobs: [job] });
  await world.pass(minute);
  await world.scheduler.stop();
  expect([seen, world.faults]).toEqual([['begin', 'end'], []]);
  const next = createWorld({ kept: world.kept(), at: world.now(), jobs: [job] });
  await next.pass(minute);
  expect(seen).toEqual(['begin', 'end', 'begin']);
});

test('a run that ignores its abort is abandoned after five seconds', async () => {
  const world = createWorld({ jobs: [{ name: 'stuck', when: { everyMs: hour }, run: () => new Promise(() => undefined) }] });
  await world.pass(minute);
  let isStopped = false;
  void world.scheduler.stop().then(() => (isStopped = true));
  await world.pass(4_000);
  expect(isStopped).toBe(false);
  await world.pass(2_000);
  expect(isStopped).toBe(true);
});

test('an idle job runs once per idle period, and a turn aborts it', async () => {
  const contexts: JobContext[] = [];
  const job: Job = {
    name: 'rest',
    when: { idleMs: 5 * minute },
    run: (context) => {
      contexts.push(context);
      return contexts.length === 2 ? new Promise((resolve) => context.signal.addEventListener('abort', () => resolve())) : undefined;
    },
  };
  const world = createWorld({ jobs: [job] });
  await world.pass(4 * minute);
  world.scheduler.setBusy(true);
  await world.pass(20 * minute);
  expect(contexts).toHaveLength(0);
  world.scheduler.setBusy(false);
  await world.pass(hour);
  expect(contexts).toHaveLength(1);
  world.scheduler.setBusy(true);
  world.scheduler.setBusy(false);
  await world.pass(6 * minute);
  expect([contexts.length, contexts[1]?.signal.aborted]).toEqual([2, false]);
  world.scheduler.setBusy(true);
  expect(contexts[1]?.signal.aborted).toBe(true);
  world.scheduler.setBusy(false);
  await world.pass(6 * minute);
  expect([contexts.length, world.faults, world.kept()]).toEqual([3, [], {}]);
});

test('a failing job is reported once until it succeeds or fails differently, and keeps running', async () => {
  const outcomes = ['a', 'a', '', 'a', 'b'];
  let runs = 0;
  const run = async (): Promise<void> => {
    const why = outcomes[runs++];
    if (why) throw new Error(why);
  };
  const world = createWorld({ jobs: [{ name: 'poll', when: { everyMs: minute }, run }] });
  await world.pass(4 * minute + 1);
  expect([runs, world.faults]).toEqual([5, ['poll of owner: a', 'poll of owner: a', 'poll of owner: b']]);
});

test('a clock set back delays a job by at most the interval', async () => {
  const { runs, begin } = noted({ everyMs: hour });
  const world = createWorld();
  world.scheduler.add(begin(world.now), 'owner');
  await world.pass(minute);
  await world.scheduler.stop();
  const earlier = createWorld({ kept: world.kept(), at: world.now() - 1_000 * hour });
  const back = noted({ everyMs: hour });
  earlier.scheduler.add(back.begin(earlier.now), 'owner');
  await earlier.pass(61 * minute);
  expect([runs.length, back.runs.length]).toEqual([1, 1]);
});

test('rejects invalid jobs with a sentence and a stored file of another shape', () => {
  const run = (): void => undefined;
  const good: Job = { name: 'a', when: { everyMs: 1_000 }, run };
  expect(faultOfJob(good, [])).toBeUndefined();
  expect(faultOfJob(good, [good])).toContain("there is a job 'a' already");
  const bad: unknown[] = [
    {},
    { ...good, name: 'Not So' },
    { ...good, run: 1 },
    { ...good, when: undefined },
    { ...good, when: { everyMs: 5 } },
    { ...good, when: { everyMs: 5_000, idleMs: 1 } },
    { ...good, when: { idleMs: -1 } },
    { ...good, when: { cron: 5 } },
  ];
  for (const one of bad) expect(faultOfJob(one as Job, [])).toMatch(/\.$/);
  expect([{}, { a: { dueAt: 1, when: '' } }].every(isDueTimes)).toBe(true);
  expect([[], null, 1, { a: 1 }, { a: { dueAt: null, when: '' } }].some(isDueTimes)).toBe(false);
});
