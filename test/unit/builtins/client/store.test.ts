// Tests that the store notifies listeners once per frame, also on a hidden page.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrames, createStore } from '../../../../builtins/clients/client/store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('notifies listeners once in the next frame and returns the new value immediately', () => {
  const draws: (() => void)[] = [];
  const store = createStore(
    0,
    createFrames((work) => void draws.push(work)),
  );
  const received: number[] = [];
  const leave = store.subscribe(() => void received.push(store.get()));
  for (const value of [1, 2, 3]) store.set(value);
  expect([store.get(), received, draws.length]).toEqual([3, [], 1]);
  draws.shift()?.();
  expect(received).toEqual([3]);
  store.set(3);
  expect(draws).toHaveLength(0);
  leave();
  store.set(4);
  draws.shift()?.();
  expect(received).toEqual([3]);
});

it('notifies listeners of a derived store in the same frame', () => {
  const draws: (() => void)[] = [];
  const frames = createFrames((work) => void draws.push(work));
  const [source, derived] = [createStore(0, frames), createStore(0, frames)];
  const received: number[] = [];
  source.subscribe(() => derived.set(source.get() * 2));
  derived.subscribe(() => void received.push(derived.get()));
  source.set(21);
  draws.shift()?.();
  expect(received).toEqual([42]);
});

it('notifies listeners on a hidden page that draws no frames', () => {
  const draws: (() => void)[] = [];
  const store = createStore(
    0,
    createFrames((work) => void draws.push(work)),
  );
  let received = 0;
  store.subscribe(() => received++);
  for (const value of [1, 2, 3]) {
    store.set(value);
    vi.advanceTimersByTime(300);
  }
  expect([received, draws.length]).toEqual([3, 1]);
  draws.shift()?.();
  expect(received).toBe(3);
});

it('notifies no listener after close', () => {
  const frames = createFrames((work) => void setTimeout(work, 16));
  const store = createStore(0, frames);
  let received = 0;
  store.subscribe(() => received++);
  store.set(1);
  frames.close();
  vi.advanceTimersByTime(1_000);
  expect(received).toBe(0);
});
