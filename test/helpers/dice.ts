// Defines the seed and the number of runs of random tests. The gate uses a fixed seed and a quarter of the runs, so a failure points to a change. A soak uses a
// new seed and all runs, and prints the command that repeats it: `SEED=… npx vitest run …`.
import type { Parameters } from 'fast-check';

export const seed = Number(process.env['SEED'] ?? 11);

/** Returns `all` in a soak and `part` in the gate, for cases that differ only in their numbers. */
export const inSoak = <T>(all: T, part: T): T => (process.env['SEED'] === undefined ? part : all);

/** Returns the parameters for `fc.assert`. @param numRuns number of runs in a soak; the gate uses a quarter */
export const runs = <T>(numRuns: number): Parameters<T> => ({ seed, numRuns: inSoak(numRuns, Math.ceil(numRuns / 4)) });

/** Returns a deterministic generator of numbers from 0 to 1. */
export function diceFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
