// Tests time limits of taps and how a tap that never ends is handled.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadTestKernel, type TestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

const never = (): Promise<void> => new Promise(() => undefined);
const owner = (options: object = {}, kind = 'waterfall'): TestPlugin => ({ register: (_, emitter) => void emitter.hook('a.hook', kind, options) });
const tap = (fn: (...args: any[]) => unknown): TestPlugin => ({ register: (_, emitter) => void emitter.tap('a.hook', fn) });
const runningTaps = ({ kernel }: TestKernel, plugin: string): unknown => kernel.control.report().plugins.find(({ name }) => name === plugin)?.runningTaps;
const call = ({ kernel }: TestKernel, value: unknown, options?: object): Promise<unknown> => (kernel.emitter.call as any)('a.hook', [value], options);

let world: TestKernel;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an aborted call rejects after its grace period, names the running tap and starts no further tap', async () => {
  const seen: string[] = [];
  let end = (): void => undefined;
  world = await loadTestKernel({
    owner: owner(),
    a: tap(() => new Promise<void>((resolve) => (end = resolve))),
    b: tap(() => void seen.push('b')),
  });
  const abort = new AbortController();
  const answer = call(world, 1, { signal: abort.signal, graceMs: 100 }).catch((fault: unknown) => fault);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runningTaps(world, 'a')).toEqual([{ hook: 'a.hook', ms: 2_000, isLeft: false }]);
  abort.abort(new Error('over'));
  await vi.advanceTimersByTimeAsync(100);
  expect(await answer).toMatchObject({ message: 'over' });
  expect(world.logs).toEqual(["warn a: Plugin 'a' did not stop in hook 'a.hook' after an abort and was abandoned."]);
  expect(runningTaps(world, 'a')).toEqual([{ hook: 'a.hook', ms: 2_100, isLeft: true }]);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect([runningTaps(world, 'a'), seen]).toEqual([[], []]);
});

test('a call returns a result if its taps end within the grace period', async () => {
  const untilAborted = (value: number, { signal }: { signal: AbortSignal }): Promise<number> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(value + 1));
      if (signal.aborted) resolve(value + 1);
    });
  world = await loadTestKernel({ owner: owner(), a: tap(untilAborted), b: tap((value) => value * 2) });
  const abort = new AbortController();
  const answer = call(world, 1, { signal: abort.signal, graceMs: 100 });
  abort.abort();
  expect(await answer).toBe(4);
  expect(await call(world, 1, { signal: abort.signal })).toBe(4);
});

test('a tap over its limit is reported and aborted, and the hook continues by its error policy', async () => {
  let reason: unknown;
  const hangs = tap((_value, { signal }) => {
    signal.addEventListener('abort', () => (reason = signal.reason));
    return never();
  });
  world = await loadTestKernel({ owner: owner({ limitMs: 1_000 }), a: hangs, b: tap((value) => value + 1) });
  const answer = call(world, 1, { graceMs: 50 });
  await vi.advanceTimersByTimeAsync(1_050);
  expect(await answer).toBe(2);
  const message = "Plugin 'a' did not finish in hook 'a.hook' within 1000 ms and was abandoned.";
  expect(reason).toMatchObject({ code: 'KRN_ERR_HOOK_TIMEOUT', message });
  expect(world.errors).toEqual([{ source: 'plugin', plugin: 'a', code: 'KRN_ERR_HOOK_TIMEOUT', message }]);
  expect(runningTaps(world, 'a')).toMatchObject([{ isLeft: true }]);
});

test('a tap limit rejects the call of a hook with the throw policy', async () => {
  world = await loadTestKernel({ owner: owner({ limitMs: 10, onError: 'throw' }), a: tap(never) });
  const answer = call(world, 1, { graceMs: 0 }).catch((fault: unknown) => fault);
  await vi.advanceTimersByTimeAsync(20);
  expect(await answer).toMatchObject({ code: 'KRN_ERR_HOOK_TIMEOUT', plugin: 'a', hook: 'a.hook' });
});

test('unloading a plugin aborts its running tap, and the call continues', async () => {
  let isAborted = false;
  world = await loadTestKernel({
    owner: owner(),
    a: tap((_value, { signal }) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return never();
    }),
    b: tap((value) => value + 1),
  });
  const answer = call(world, 1, { graceMs: 20 });
  await world.kernel.control.setDisabled(['a']);
  expect(isAborted).toBe(true);
  await vi.advanceTimersByTimeAsync(20);
  expect(await answer).toBe(2);
  expect(world.logs.join()).toContain("warn a: failed in hook 'a.hook': Plugin 'a' did not stop in hook 'a.hook' after an abort");
});

test('a tap receives the context after any number of hook arguments', async () => {
  const seen: unknown[][] = [];
  world = await loadTestKernel({ owner: owner({}, 'series'), a: tap((...args) => void seen.push(args)) });
  const context = { signal: expect.any(AbortSignal) };
  for (const args of [[], [1], [undefined, 2], [1, 2, 3]]) await (world.kernel.emitter.call as any)('a.hook', args);
  expect(seen).toEqual([[context], [1, context], [undefined, 2, context], [1, 2, 3, context]]);
});
