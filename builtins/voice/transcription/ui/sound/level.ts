// Calculates the displayed value of a level meter. Pure.
import type { Frame } from './frames.ts';

const quietDb = -60;
const loudDb = -12;
const fall = 0.8;

/** Returns the displayed level from 0 to 1, which rises immediately and falls slowly. */
export function levelOf(frames: readonly Frame[], before: number): number {
  const most = Math.max(quietDb, ...frames.map(({ db }) => db));
  const now = Math.min(1, (most - quietDb) / (loudDb - quietDb));
  return Math.max(now, before * fall);
}
