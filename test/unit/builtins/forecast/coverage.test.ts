// Tests how often forecasts hold over a simulated year of turns of several kinds.
import { expect, test } from 'vitest';
import { forecast, heldOf, wordsOf, type Task } from '../../../../builtins/models/forecast/likely-cost.ts';
import { weeklyCosts } from '../../../../builtins/models/forecast/weekly-cost.ts';
import { createHistory } from '../../../../builtins/models/forecast/history.ts';

/** Seeded random numbers (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Kinds of request: vocabulary, median cost in USD, and spread of its logarithm. */
const kinds = [
  { words: 'refactor module extract function rename imports clean structure types', usd: 0.8, spread: 0.5 },
  { words: 'fix failing test flaky timeout assertion error trace', usd: 0.4, spread: 0.8 },
  { words: 'explain what does this mean question why how', usd: 0.03, spread: 0.4 },
  { words: 'write documentation guide readme sentence paragraph example', usd: 0.2, spread: 0.5 },
  { words: 'audit security review injection overflow whole repository', usd: 2.5, spread: 0.6 },
  { words: 'commit push branch message merge', usd: 0.05, spread: 0.3 },
];

/** @param drift relative increase of all costs by the end of the year */
function simulate(seed: number, drift: number): { readonly held: number; readonly said: number; readonly width: number; readonly widthOfAll: number } {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
  const history = createHistory([]);
  const past = history.turns;
  const verdicts: boolean[] = [];
  let [width, widthOfAll] = [0, 0];
  for (let index = 0; index < 400; index++) {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    const vocabulary = kind.words.split(' ');
    const text = Array.from({ length: 3 + Math.floor(random() * 5) }, () =>
      random() < 0.7 ? vocabulary[Math.floor(random() * vocabulary.length)] : `thing${Math.floor(random() * 400)}`,
    ).join(' ');
    const at = new Date(Date.UTC(2026, 0, 1) + (index / 400) * 365 * 86_400_000).toISOString();
    const task: Task = { at, model: 'm', workspaceRoot: '/w', words: wordsOf(text), length: text.length, context: 5_000 };
    const cost = kind.usd * Math.exp(kind.spread * normal()) * (1 + (drift * index) / 400);
    const said = forecast(task, history);
    history.add({ ...task, chatId: 'c', turnId: String(index), tokens: Math.round(cost * 200_000), cost, ...(said ? { said } : {}) });
    const held = heldOf(past.at(-1)!);
    if (held === undefined || index < 50) continue;
    verdicts.push(held);
    width += Math.log(said!.high / said!.low);
    const all = past
      .slice(0, -1)
      .map((turn) => turn.cost!)
      .sort((one, other) => one - other);
    widthOfAll += Math.log(all[Math.floor(all.length * 0.9)]! / all[Math.floor(all.length * 0.1)]!);
  }
  return { held: verdicts.filter(Boolean).length / verdicts.length, said: verdicts.length, width, widthOfAll };
}

test.each([
  ['constant prices', 0],
  ['doubling prices', 1],
  ['halving prices', -0.5],
])('with %s about four of five forecasts hold, in narrower ranges than that of all turns', (_, drift) => {
  const runs = Array.from({ length: 5 }, (_unused, seed) => simulate(seed + 1, drift));
  const mean = (of: (run: (typeof runs)[number]) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  expect(runs.every(({ said }) => said === 350)).toBe(true);
  expect(mean(({ held }) => held)).toBeGreaterThan(0.75);
  expect(mean(({ held }) => held)).toBeLessThan(0.9);
  for (const { held } of runs) expect(held).toBeGreaterThan(0.7);
  expect(mean(({ width, widthOfAll }) => width / widthOfAll)).toBeLessThan(0.75);
});

/** Simulates weeks of scheduled work and counts the forecasts that held. */
function simulateWeeks(seed: number, perDay: number): { readonly held: number; readonly said: number } {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
  const dayMs = 86_400_000;
  const begin = Date.UTC(2026, 0, 1);
  const rows = Array.from({ length: 365 }, (_, day) =>
    // The machine is off on some days.
    random() < 0.15
      ? []
      : Array.from({ length: Math.max(0, Math.round(perDay + normal() * Math.sqrt(perDay))) }, () => ({
          ...{ at: new Date(begin + day * dayMs + random() * dayMs).toISOString(), input: 900, output: 90, cached: 0, model: 'one' },
          ...{ purpose: 'think', plugin: 'thinker', cost: 0.002 * Math.exp(0.6 * normal()) },
        })),
  );
  let [held, said] = [0, 0];
  for (let day = 30; day < 358; day += 7) {
    const [found] = weeklyCosts(['thinker'], rows.slice(day - 28, day).flat(), [], begin + day * dayMs);
    const real = rows
      .slice(day, day + 7)
      .flat()
      .reduce((sum, { cost }) => sum + cost, 0);
    said++;
    if (found && real >= found.low && real <= found.high) held++;
  }
  return { held, said };
}

test.each([1, 4, 30])('scheduled work, %i runs a day: between 65 and 95 percent of the weekly forecasts hold', (perDay) => {
  const all = [1, 2, 3, 4, 5].map((seed) => simulateWeeks(seed, perDay));
  const [held, said] = [all.reduce((sum, one) => sum + one.held, 0), all.reduce((sum, one) => sum + one.said, 0)];
  expect(held / said).toBeGreaterThan(0.65);
  expect(held / said).toBeLessThan(0.95);
});

test('forecasts no scheduled work with fewer than five days, nor for a plugin without requests', () => {
  const rows = Array.from({ length: 4 }, (_, day) => ({
    ...{ at: new Date(Date.UTC(2026, 0, 10 - day)).toISOString(), input: 10, output: 1, cached: 0, model: 'one', purpose: 'think', plugin: 'thinker' },
  }));
  const now = Date.UTC(2026, 0, 11, 5);
  expect(weeklyCosts(['thinker'], rows, [], now)).toEqual([]);
  const more = [...rows, { ...rows[0]!, at: new Date(Date.UTC(2026, 0, 1)).toISOString() }];
  expect(weeklyCosts(['thinker', 'other'], more, [], now)).toMatchObject([{ plugin: 'thinker', unit: 'tokens', days: 10, likely: 7 * 5.5 }]);
});
