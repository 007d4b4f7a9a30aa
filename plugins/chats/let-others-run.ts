// Work on very many files that are each read at once: now and then others get their turn.
import { setImmediate as nextPass } from 'node:timers/promises';

/** Longest time without letting others run, in milliseconds. */
const sliceMs = 8;

/** Answers what to await between two steps: it waits for the next pass of the event loop where the slice is used up. */
export function createSlices(): () => Promise<void> {
  let endsAt = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < endsAt) return;
    await nextPass();
    endsAt = performance.now() + sliceMs;
  };
}
