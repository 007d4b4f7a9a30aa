// Long work in this thread that lets others run now and then.
import { setImmediate } from 'node:timers/promises';

/** Longest time without letting others run, in milliseconds. */
const sliceMs = 8;

/** Resolves in the next pass of the event loop, after what waits for it now. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/**
 * Answers what to await between two steps: it waits for the next pass of the event loop where the slice is used up, and is
 * `undefined` otherwise.
 * @param pause what is waited for in place of the next pass
 */
export function createSlices(pause: () => Promise<unknown> = yieldToEventLoop): () => Promise<void> | undefined {
  let endsAt = performance.now() + sliceMs;
  const next = async (): Promise<void> => {
    await pause();
    endsAt = performance.now() + sliceMs;
  };
  return () => (performance.now() < endsAt ? undefined : next());
}

/** Does something for each item, and lets others run now and then. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T) => void, pause?: () => Promise<unknown>): Promise<void> {
  const slices = createSlices(pause);
  for (const item of items) {
    work(item);
    const over = slices();
    if (over) await over;
  }
}
