import { expect, onTestFinished, test, vi } from 'vitest';
import { createLearnedLimits } from '../../../../plugins/models/learned-limits.ts';

test('forgets a guessed context window after ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const storage = { readJson: () => Promise.resolve(undefined), updateJson: () => Promise.resolve() } as never;
  const limits = createLearnedLimits({ path: 'limits.json', storage, warn: () => undefined });
  const route = { baseURL: 'http://localhost', model: 'one' } as never;
  limits.guessWindow(route, 4_000);
  expect(await limits.of(route)).toEqual({ window: 4_000 });
  vi.advanceTimersByTime(10 * 60_000);
  expect(await limits.of(route)).toEqual({});
});
