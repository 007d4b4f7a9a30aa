import { expect, test } from 'vitest';
import { backoffMs, createSerialQueue, createSerialQueues, lazy, untilAborted, withLimit } from '#lib/async';

test('a queue runs tasks sequentially, even after a failure', async () => {
  const queue = createSerialQueue();
  const steps: string[] = [];
  const work = (name: string, fault?: Error) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    if (fault) throw fault;
    return name;
  };
  const results = [queue.run(work('one')), queue.run(work('two', new Error('two broke'))), queue.run(work('three'))];
  const thrown = queue.run(() => {
    throw new Error('before it began to wait');
  });
  await queue.idle();
  expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
  expect(await Promise.allSettled([...results, thrown])).toMatchObject([
    { value: 'one' },
    { reason: { message: 'two broke' } },
    { value: 'three' },
    { reason: { message: 'before it began to wait' } },
  ]);
});

test('tasks of different keys run in parallel, those of one key in order', async () => {
  const queues = createSerialQueues<string>();
  const steps: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string) => () => {
    steps.push(name);
    return new Promise<void>((resolve) => gates.set(name, resolve));
  };
  const all = [queues.run('a', work('a1')), queues.run('a', work('a2')), queues.run('b', work('b1'))];
  await new Promise(setImmediate);
  expect(steps).toEqual(['a1', 'b1']);
  gates.get('b1')?.();
  await queues.idle('b');
  expect(steps).toEqual(['a1', 'b1']);
  gates.get('a1')?.();
  await all[0];
  await new Promise(setImmediate);
  expect(steps).toEqual(['a1', 'b1', 'a2']);
  gates.get('a2')?.();
  await queues.idle();
  await queues.idle('a');
  await Promise.all(all);
});

test('untilAborted waits for the work until the abort, plus a grace period', async () => {
  expect(await untilAborted(Promise.resolve('done'), new AbortController().signal)).toBe('done');
  expect(await untilAborted('at once', AbortSignal.abort(new Error('too late')))).toBe('at once');
  const stop = new AbortController();
  const left = untilAborted(new Promise(() => undefined), stop.signal);
  stop.abort(new Error('stopped'));
  await expect(left).rejects.toThrow('stopped');
  const kind = new AbortController();
  const graceful = untilAborted(
    new Promise((resolve) => kind.signal.addEventListener('abort', () => setImmediate(() => resolve('ended in time')))),
    kind.signal,
    10_000,
  );
  kind.abort();
  expect(await graceful).toBe('ended in time');
});

test('backoff doubles up to the maximum, with jitter of up to half', () => {
  const waits = { first: 500, longest: 8_000 };
  expect([0, 1, 2, 3, 4, 5, 5_000].map((tries) => backoffMs(tries, waits, () => 1))).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect([0, 5_000].map((tries) => backoffMs(tries, waits, () => 0))).toEqual([250, 4_000]);
  for (let tries = 0; tries < 50; tries++) expect(backoffMs(tries, waits)).toBeLessThanOrEqual(8_000);
});

test('withLimit rejects late work and handles its later failure', async () => {
  await expect(withLimit(Promise.resolve('in time'), 60_000, () => 'late')).resolves.toBe('in time');
  await expect(withLimit(Promise.reject(new Error('its own')), 60_000, () => 'late')).rejects.toThrow('its own');
  let fail = (_: Error): void => undefined;
  const work = new Promise<never>((_, reject) => (fail = reject));
  await expect(withLimit(work, 1, () => 'late')).resolves.toBe('late');
  const refusal = withLimit(work, 1, () => {
    throw new Error('too late');
  });
  await expect(refusal).rejects.toThrow('too late');
  fail(new Error('nobody hears it'));
});

test('lazy creates a value once, at first use, and retries after a failure', async () => {
  let tries = 0;
  const open = lazy(async () => {
    tries++;
    if (tries === 1) throw new Error('not yet');
    return { tries };
  });
  expect(open.made).toBeUndefined();
  await expect(Promise.all([open(), open()])).rejects.toThrow('not yet');
  expect(tries).toBe(1);
  expect(open.made).toBeUndefined();
  const [one, other] = await Promise.all([open(), open()]);
  expect(one).toBe(other);
  expect(await open.made).toBe(one);
  expect(tries).toBe(2);
});
