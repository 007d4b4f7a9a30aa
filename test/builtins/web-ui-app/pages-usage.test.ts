// The pure parts of the usage page: ranges, sums, bars and their geometry.
import { expect, test } from 'vitest';
import { layOutBars, niceCeiling } from '../../../builtins/clients/web-ui/app/kit/chart/chart-geometry.ts';
import { costText, longTime, shortTime, sumsByModel } from '../../../builtins/clients/web-ui/app/pages/usage/turn-words.ts';
import { barsOf, partsOf, ranked, sinceOf, sumModels, tokensOf, type Sums, type Usage } from '../../../builtins/clients/web-ui/app/pages/usage/usage-model.ts';

const now = new Date('2026-11-21T07:00:00Z');
const sums = (input: number, output = 0, cached = 0): Sums => ({ calls: 1, input, output, cached, cost: 0 });
const row = (at: string, model: string, input: number, cost?: number): Usage['rows'][number] => ({
  at,
  model,
  purpose: 'chat',
  input,
  output: 1,
  cached: 0,
  ...(cost === undefined ? {} : { cost }),
});

test('a range begins at the start of a day, today included', () => {
  expect(sinceOf('today', now)).toBe('2026-11-21');
  expect(sinceOf('week', now)).toBe('2026-11-15');
  expect(sinceOf('month', now)).toBe('2026-10-23');
  expect(sinceOf('all', now)).toBeUndefined();
});

test('a week has seven bars, days without a call too', () => {
  const bars = barsOf({ byDay: { '2026-11-20': sums(5) }, rows: [], totals: sums(5) }, 'week', now);
  expect(bars.map((bar) => bar.id)).toEqual(['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`));
  expect(bars.map((bar) => bar.sums.input)).toEqual([0, 0, 0, 0, 0, 5, 0]);
  expect(bars[5]?.shortLabel).toBe('20 Nov');
  expect(bars[5]?.label).toBe('Fri, 20 Nov 2026');
});

test('a single day is shown by the hour, unless rows are missing', () => {
  const rows = [row('2026-11-21T05:59:59.9Z', 'a', 1), row('2026-11-21T06:00:00.0Z', 'a', 2), row('2026-11-20T06:00:00.0Z', 'a', 4)];
  const hours = barsOf({ byDay: {}, rows, totals: { ...sums(0), calls: 3 } }, 'today', now);
  expect(hours).toHaveLength(24);
  expect([hours[5]?.sums.input, hours[6]?.sums.input]).toEqual([1, 2]);
  expect(barsOf({ byDay: {}, rows, totals: { ...sums(0), calls: 4 } }, 'today', now)).toHaveLength(1);
});

test('all begins with the first day, and very long times are joined without losing a token', () => {
  expect(barsOf({ byDay: { '2026-11-18': sums(1) }, rows: [], totals: sums(1) }, 'all', now)).toHaveLength(4);
  expect(barsOf({ byDay: {}, rows: [], totals: sums(0) }, 'all', now)).toHaveLength(1);
  const years = barsOf({ byDay: { '2024-01-01': sums(1), '2025-06-01': sums(2), '2026-11-21': sums(4) }, rows: [], totals: sums(7) }, 'all', now);
  expect(years.length).toBeLessThanOrEqual(62);
  expect(years.reduce((total, bar) => total + bar.sums.input, 0)).toBe(7);
  expect(years[0]?.label).toMatch(/^Mon, 1 Jan 2024 to /);
});

test('models are summed from the rows, and groups ranked by tokens', () => {
  const models = sumModels([row('', 'small', 5), row('', 'large', 50, 0.5), row('', 'small', 6, 0.25)]);
  expect(models['small']).toEqual({ calls: 2, input: 11, output: 2, cached: 0, cost: 0.25 });
  expect(ranked(models).map((one) => one.key)).toEqual(['large', 'small']);
  expect(tokensOf(sums(3, 4, 2))).toBe(7);
});

test('cached tokens are a part of the input', () => {
  expect(partsOf(sums(10, 3, 4))).toEqual({ cached: 4, fresh: 6, output: 3 });
  expect(partsOf(sums(10, 3, 40))).toEqual({ cached: 10, fresh: 0, output: 3 });
});

test('segments stand on each other and never leave the picture', () => {
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

test('labels on the axis leave room for each other, and the newest bar has one', () => {
  const { labelled } = layOutBars(
    Array.from({ length: 30 }, () => [1]),
    { width: 360, height: 200 },
  );
  expect(labelled.at(-1)).toBe(29);
  expect(labelled.length).toBeLessThanOrEqual(6);
  expect(layOutBars([], { width: 360, height: 200 })).toMatchObject({ bands: [], labelled: [] });
});

test('the axis ends at a round number above the highest bar', () => {
  expect([0, 1, 7, 100, 101, 1_300_000, 9_500].map(niceCeiling)).toEqual([100, 1, 8, 100, 120, 1_600_000, 10_000]);
});

test('a turn is summed by model, and says whose price nobody knows', () => {
  const at = '2026-11-21T07:00:00Z';
  const [a, b, c] = sumsByModel([row(at, 'a', 10, 0.02), row(at, 'b', 5), { ...row(at, 'a', 10), estimate: 0.01 }, row(at, 'c', 1), row(at, 'c', 1, 1)]);
  expect(a).toEqual({ model: 'a', calls: 2, input: 20, output: 2, cached: 0, cost: 0.03, isEstimated: true, unpriced: 0 });
  expect([a, b, c].map((one) => one && costText(one))).toEqual(['about $0.0300', 'no price known for this model', '$1.00, and 1 without a known price']);
});

test('times are short in a button and whole in the card', () => {
  expect([400, 12_300, 59_700, 125_000, 3_780_000].map(shortTime)).toEqual(['0.4 s', '12 s', '1 min', '2 min', '1 h']);
  expect([400, 125_000, 3_780_000].map(longTime)).toEqual(['0.4 seconds', '2 min 5 s', '1 h 3 min']);
});
