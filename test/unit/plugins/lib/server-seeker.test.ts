import { createServerSeeker } from '#lib/running-server';
import { expect, onTestFinished, test, vi } from 'vitest';

test('searches for a replaced server only while the connection is lost', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let isLost = false;
  const running: { url?: string } = {};
  const taken: string[] = [];
  const find = vi.fn(() => Promise.resolve(running.url === undefined ? undefined : { url: running.url }));
  const seeker = createServerSeeker({ find, isLost: () => isLost, take: (found) => void taken.push(found.url) });
  seeker.check();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(find).not.toHaveBeenCalled();
  isLost = true;
  seeker.check();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(taken).toEqual([]);
  running.url = 'http://127.0.0.1:2';
  await vi.advanceTimersByTimeAsync(250);
  expect(taken).toEqual([running.url]);
  isLost = false;
  seeker.check();
  const searches = find.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(find).toHaveBeenCalledTimes(searches);
});
