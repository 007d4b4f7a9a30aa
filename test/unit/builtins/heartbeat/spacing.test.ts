// Tests when heartbeats run with many turns, clock jumps, crashes and reboots.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { elapsedMs } from '../../../../builtins/background/heartbeat/elapsed.ts';
import { isQuiet, quietHoursPattern } from '../../../../builtins/background/heartbeat/quiet-hours.ts';
import { runs } from '../../../helpers/dice.ts';
import { settings, startBeatTime } from './heartbeat-clock.ts';

const hour = 3_600_000;

test('runs once for a turn, not before the idle time, and never without a turn', async () => {
  const time = await startBeatTime();
  await time.pass(24 * hour);
  expect(time.asked).toEqual([]);
  const end = time.begin('a');
  await time.pass(10_000);
  end('done');
  await time.pass(settings.idleMs - 1);
  expect(time.asked).toEqual([]);
  await time.pass(1);
  expect(time.asked.length).toBe(1);
  await time.pass(24 * hour);
  expect(time.asked.length).toBe(1);
  expect(time.shown.length).toBe(1);
  expect(time.faults).toEqual([]);
});

test('skips the run after the machine was asleep for a day', async () => {
  const time = await startBeatTime();
  time.begin('a')('done');
  time.jump(24 * hour);
  await time.pass(settings.idleMs);
  expect(time.asked).toEqual([]);
});

type Step =
  | { readonly kind: 'turn'; readonly chat: string; readonly ms: number; readonly reason: 'done' | 'aborted' | 'error'; readonly answer: string }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'jump'; readonly ms: number }
  | { readonly kind: 'crash'; readonly isReboot: boolean };

const chat = fc.constantFrom('a', 'b', 'c', 'd');
const short = fc.integer({ min: 0, max: 5_000 });
const jump = fc.oneof(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -40 * hour, max: 20 * hour }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('turn' as const),
      chat,
      ms: short,
      reason: fc.constantFrom('done', 'done', 'done', 'aborted', 'error'),
      answer: fc.constantFrom('fine', 'fine', ''),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(short, fc.integer({ min: 40_000, max: 130_000 })) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jump' as const), ms: jump }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), isReboot: fc.boolean() }) },
);

test('random turns, clock jumps, crashes and reboots: keeps the interval, one call per turn and the nudge limit', async () => {
  const size = runs(1_000);
  let calls = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const time = await startBeatTime();
      let good = 0;
      for (const one of steps) {
        if (one.kind === 'pass') await time.pass(one.ms);
        else if (one.kind === 'jump') time.jump(one.ms);
        else if (one.kind === 'crash') await time.crash(one.isReboot);
        else {
          const end = time.begin(one.chat);
          await time.pass(one.ms);
          end(one.reason, one.answer);
          if (one.reason === 'done' && one.answer !== '') good++;
        }
      }
      await time.pass(2 * hour);
      const { asked, shown, faults } = time;
      calls += asked.length;
      expect(faults).toEqual([]);
      expect(asked.length).toBeLessThanOrEqual(good);
      expect(new Set(asked.map(({ message }) => message)).size).toBe(asked.length);
      for (const [index, { at }] of asked.entries()) {
        const before = asked[index - 1];
        if (before) expect(at - before.at).toBeGreaterThanOrEqual(settings.minIntervalMs);
      }
      for (const [index, at] of shown.entries()) {
        const former = shown[index - settings.nudgesPerHour];
        if (former !== undefined) expect(at - former).toBeGreaterThanOrEqual(hour);
      }
    }),
    size,
  );
  expect(calls).toBeGreaterThan(size.numRuns ?? 0);
}, 120_000);

test('limits the elapsed time when the clock was set back', () => {
  expect(elapsedMs(5_000, 7_000)).toBe(2_000);
  expect(elapsedMs(5_000, 1_000)).toBe(1_000);
});

test.each([
  ['22:00-07:00', 23, 0, true],
  ['22:00-07:00', 6, 59, true],
  ['22:00-07:00', 7, 0, false],
  ['22:00-07:00', 12, 0, false],
  ['12:00-13:30', 12, 0, true],
  ['12:00-13:30', 13, 30, false],
  ['09:00-09:00', 3, 0, true],
  ['', 3, 0, false],
])('evaluates quiet hours %s at %i:%i', (hours, hour, minute, expected) => {
  expect(hours).toMatch(new RegExp(quietHoursPattern));
  expect(isQuiet(hours, new Date(2026, 10, 22, hour, minute))).toBe(expected);
});

test.each(['22-7', '24:00-07:00', 'night', '22:00-07:00,12:00-13:00'])('rejects “%s” as quiet hours', (hours) => {
  expect(hours).not.toMatch(new RegExp(quietHoursPattern));
});
