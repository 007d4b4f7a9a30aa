// Splits long work in this thread into portions between which the event loop can run other work.
import { setImmediate } from 'node:timers/promises';

/** Maximum time without yielding, in milliseconds. */
const sliceMs = 8;

/** Resolves in the next pass of the event loop, after pending work. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/**
 * Returns a function to await between two steps. The function waits for the next pass of the event loop if the portion's time is used up; otherwise, it returns
 * `undefined`.
 * @param pause function that is awaited instead of the next pass
 */
export function createSlices(pause: () => Promise<unknown> = yieldToEventLoop): () => Promise<void> | undefined {
  let endsAt = performance.now() + sliceMs;
  const next = async (): Promise<void> => {
    await pause();
    endsAt = performance.now() + sliceMs;
  };
  return () => (performance.now() < endsAt ? undefined : next());
}

/** Processes each item, and yields to the event loop after each portion. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void, pause?: () => Promise<unknown>): Promise<void> {
  const slices = createSlices(pause);
  for (const item of items) {
    work(item);
    const over = slices();
    if (over) await over;
  }
}
