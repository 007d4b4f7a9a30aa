// The search for a plugin that ends the program: whoever is guilty is found by crashes with it alone, and nobody is put aside by what did not happen.
import { expect, test } from 'vitest';
import { afterEnd, afterSurvival, noSearch, without, type EndedRun, type SearchState } from '../../../../builtins/distribution/crash/culprit-search.ts';

const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const run = (names: readonly string[], lived = 0, held = 'x'): EndedRun => ({
  lived,
  plugins: Object.fromEntries(names.map((name) => [name, `${name}${held}`])),
});
const soonMs = 900_000;
const ended = (state: SearchState, one: EndedRun): ReturnType<typeof afterEnd> => afterEnd(state, one, soonMs, (ms) => ms * 2 + 1);
const threeEnds = (names: readonly string[]): SearchState => [1, 2, 3].reduce((state) => ended(state, run(names)).state, noSearch);

/** Plays it with one that ends each run it is in. Answers who was found, and the most that were off at once. */
function play(guilty: string | undefined): { found: string | undefined; starts: number; mostOff: number } {
  let state = threeEnds(all);
  let mostOff = 0;
  for (let starts = 0; starts < 50; starts++) {
    const { search } = state;
    if (!search) return { found: undefined, starts, mostOff };
    const off = search.suspects.filter((name) => !search.on.includes(name));
    mostOff = Math.max(mostOff, off.length);
    const on = all.filter((name) => !off.includes(name));
    if (guilty !== undefined && on.includes(guilty)) {
      const verdict = ended(state, run(on));
      if (verdict.found !== undefined) return { found: verdict.found, starts, mostOff };
      state = verdict.state;
    } else state = afterSurvival(state).state;
  }
  throw new Error('it did not end');
}

test('whoever is guilty is found, with no more than half and one off at once; where nobody is, nobody is', () => {
  for (const guilty of all) {
    const { found, starts, mostOff } = play(guilty);
    expect(found).toBe(guilty);
    expect(starts).toBeLessThanOrEqual(6);
    expect(mostOff).toBeLessThanOrEqual(4);
  }
  expect(play(undefined)).toMatchObject({ found: undefined });
});

test('ends that are late, of other contents, or after one in order, begin no search', () => {
  const two = [1, 2].reduce((state) => ended(state, run(all)).state, noSearch);
  expect(ended(two, run(all, soonMs)).state).toEqual(noSearch);
  expect(ended(two, run(all, 0, 'changed')).state.search).toBeUndefined();
  expect(ended(two, run(['a', 'b'])).state.search?.suspects).toEqual(['a', 'b']);
});

test('ends of what had been up for longer, or in which nothing of a plugin ran, begin a search only after twice as many', () => {
  const like = (ones: readonly EndedRun[]): SearchState => ones.reduce((state, one) => ended(state, one).state, noSearch);
  const quiet: EndedRun = { ...run(all), isQuiet: true };
  const later = run(all, 60_000);
  for (const one of [quiet, later]) {
    expect(like(Array.from({ length: 5 }, () => one)).search).toBeUndefined();
    expect(like(Array.from({ length: 6 }, () => one)).search?.suspects).toEqual(all);
  }
  expect(like([run(all), quiet, run(all)]).search).toBeUndefined();
  expect(like([run(all), quiet, run(all), quiet]).search?.suspects).toEqual(all);
});

test('a plugin alone is put aside, and comes back where the program ends without it; the search does not begin again with the same ones', () => {
  const first = [1, 2].reduce((state) => ended(state, run(['a'])).state, noSearch);
  const verdict = ended(first, run(['a']));
  expect(verdict.found).toBe('a');
  const next = ended(verdict.state, run([]));
  expect(next).toMatchObject({ acquitted: 'a', state: { ends: [], inVain: { a: 'ax' } } });
  expect(ended(next.state, run(['a'])).state).toBe(next.state);
  expect(ended(next.state, run(['a'], 0, 'changed')).state.ends).toHaveLength(1);
});

test('who is switched on by a person is no suspect any more', () => {
  const state = threeEnds(all);
  expect(without(state, 'g').search?.suspects).not.toContain('g');
  expect(without(state)).toEqual(noSearch);
});
