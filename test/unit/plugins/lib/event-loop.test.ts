import { expect, test } from 'vitest';
import { createSlices } from '#lib/event-loop';

test('a used-up time slice yields to the event loop', async () => {
  const pause = createSlices();
  let passes = 0;
  const count = (): void => {
    passes++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const used = performance.now() + 20;
  while (performance.now() < used);
  expect(passes).toBe(0);
  await pause();
  expect(passes).toBeGreaterThan(0);
  clearImmediate(counting);
});
