// Tests the pure functions of charts and turn summaries: bar layout, totals and time formats.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { layOutBars, niceCeiling } from '../../../../builtins/clients/web-ui/app/kit/chart/chart-geometry.ts';
import { formatServerDate } from '../../../../builtins/clients/web-ui/app/kit/page/format.ts';
import { costText, longTime, shortTime, sumsByModel } from '../../../../builtins/clients/web-ui/app/pages/usage/turn-usage.ts';

const { chartLabel } = await import(/* @vite-ignore */ join(import.meta.dirname, '../../../../builtins/clients/web-ui/app/kit/view/value.tsx'));
const row = (at: string, model: string, input: number, cost?: number): Parameters<typeof sumsByModel>[0][number] => ({
  at,
  model,
  purpose: 'chat',
  input,
  output: 1,
  cached: 0,
  ...(cost === undefined ? {} : { cost }),
});

test('stacks segments within the chart area', () => {
  const { bands, lines, bottom } = layOutBars(
    [
      [10, 20, 30],
      [0, 0, 0],
    ],
    { width: 400, height: 200 },
  );
  const [first, second, third] = bands[0]?.segments ?? [];
  expect((first?.y ?? 0) + (first?.height ?? 0)).toBeCloseTo(bottom);
  expect((second?.y ?? 0) + (second?.height ?? 0)).toBeCloseTo(first?.y ?? -1);
  expect((third?.y ?? 0) + (third?.height ?? 0)).toBeCloseTo(second?.y ?? -1);
  expect(third?.height).toBeCloseTo((first?.height ?? 0) * 3);
  expect(third?.y).toBeGreaterThanOrEqual(lines[2]?.y ?? Infinity);
  expect(bands[1]?.segments.every((segment) => segment.height === 0)).toBe(true);
  expect(bands.every(({ x, width }) => x >= 0 && x + width <= 400)).toBe(true);
});

test('spaces axis labels and labels the newest bar', () => {
  const { labelled } = layOutBars(
    Array.from({ length: 30 }, () => [1]),
    { width: 360, height: 200 },
  );
  expect(labelled.at(-1)).toBe(29);
  expect(labelled.length).toBeLessThanOrEqual(6);
  expect(layOutBars([], { width: 360, height: 200 })).toMatchObject({ bands: [], labelled: [] });
});

test('ends the axis at a round number above the maximum', () => {
  expect([0, 1, 7, 100, 101, 1_300_000, 9_500].map(niceCeiling)).toEqual([100, 1, 8, 100, 120, 1_600_000, 10_000]);
});

test('sums a turn by model and reports calls without a known price', () => {
  const at = '2026-11-21T07:00:00Z';
  const [a, b, c] = sumsByModel([row(at, 'a', 10, 0.02), row(at, 'b', 5), { ...row(at, 'a', 10), estimate: 0.01 }, row(at, 'c', 1), row(at, 'c', 1, 1)]);
  expect(a).toEqual({ model: 'a', calls: 2, input: 20, output: 2, cached: 0, cost: 0.03, isEstimated: true, unpriced: 0 });
  expect([a, b, c].map((one) => one && costText(one))).toEqual(['about $0.0300', 'no price known for this model', '$1.00, and 1 without a known price']);
});

test('formats times in short and long form', () => {
  expect([400, 12_300, 59_700, 125_000, 3_780_000].map(shortTime)).toEqual(['0.4 s', '12 s', '1 min', '2 min', '1 h']);
  expect([400, 125_000, 3_780_000].map(longTime)).toEqual(['0.4 seconds', '2 min 5 s', '1 h 3 min']);
});

test('formats a day independently of the time zone in charts and tables', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect([chartLabel('2026-11-20', 'time'), formatServerDate('2026-11-20')]).toEqual([{ long: 'Fri, 20 Nov 2026', short: '20 Nov' }, '20 Nov 2026']);
  expect(chartLabel('2026-11-20 as text', undefined)).toEqual({ long: '2026-11-20 as text', short: '2026-11-…' });
});
