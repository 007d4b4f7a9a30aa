// Where random tests begin: in the gate always at the same place, so that a red run tells of a change and not of the dice.
// `npm run soak` begins elsewhere each time; the seed that it prints repeats a run: `SEED=… npx vitest run …`.
import type { Parameters } from 'fast-check';

export const seed = Number(process.env['SEED'] ?? 11);

/** Of what is the same again and again with other numbers: all of it where a soak gave the seed, and a part in the gate. */
export const inSoak = <T>(all: T, part: T): T => (process.env['SEED'] === undefined ? part : all);

/** For `fc.assert`. */
export const runs = (numRuns: number): Parameters<unknown> => ({ seed, numRuns });

/** Numbers from 0 to 1, the same ones each time. */
export function diceFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
