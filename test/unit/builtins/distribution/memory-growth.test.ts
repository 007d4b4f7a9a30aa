// A plugin apart that holds more and more is told by name before it ends; one that only works a lot is not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { growthOf, withSample, type Sample } from '../../../../builtins/distribution/memory-growth.ts';
import { createPluginMeter } from '../../../../builtins/distribution/plugin-usage.ts';

const mb = 1_048_576;
const minute = 60_000;
const places: string[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

/** One a minute. */
const samplesOf = (minutes: number, bytesAt: (at: number) => number): readonly Sample[] =>
  Array.from({ length: minutes }, (_, at) => ({ at: at * minute, bytes: bytesAt(at) })).reduce<readonly Sample[]>(withSample, []);

test('what rises below its garbage grows, over minutes and over hours', () => {
  const leak = (at: number): number => (20 + at + (at % 7) * 9) * mb;
  expect(growthOf(samplesOf(180, leak))).toMatchObject({ fromBytes: 20 * mb, ms: expect.any(Number) });
  expect((growthOf(samplesOf(2_000, leak))?.toBytes ?? 0) / mb).toBeGreaterThan(1_000);
  expect(samplesOf(5_000, leak).length).toBeLessThanOrEqual(128);
});

test('what falls back, has filled its store, is small, or has been seen for some minutes, does not', () => {
  expect(growthOf(samplesOf(180, (at) => (20 + (at % 30) * 5) * mb))).toBeUndefined();
  expect(growthOf(samplesOf(180, (at) => Math.min(120, 20 + at * 4) * mb))).toBeUndefined();
  expect(growthOf(samplesOf(180, (at) => (4 + at * 0.05) * mb))).toBeUndefined();
  expect(growthOf(samplesOf(5, (at) => (20 + at * 40) * mb))).toBeUndefined();
});

test('it is told once, by name and with its figures, and stands in what is asked for', async () => {
  const home = mkdtempSync(join(tmpdir(), 'growth-'));
  places.push(home);
  let at = 0;
  const told: string[] = [];
  const rows = [{ name: 'leaks', origin: 'user', state: 'active', isolation: 'child' }] as never;
  // A minute passes with each look.
  const meter = createPluginMeter(home, () => rows, { now: () => at++ * minute, lookEveryMs: 1, say: (plugin, what) => told.push(`${plugin} ${what}`) });
  const run = meter.guest('leaks', () => Promise.resolve({ activeMs: 1, heapBytes: (20 + at) * mb }));
  await expect.poll(() => at, { timeout: 20_000 }).toBeGreaterThan(180);
  expect(told).toEqual([expect.stringMatching(/^leaks has grown from 2\d to \d+ MB in \d+ minutes and gives nothing back/)]);
  const { plugins } = await meter.usage.read(0);
  expect(plugins).toMatchObject([{ name: 'leaks', grows: { fromBytes: expect.any(Number), toBytes: expect.any(Number) } }]);
  run.gone(false);
  meter.flush();
});
