import { expect, test } from 'vitest';
import { loadTestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

const owner = (kind: string, onError?: unknown): TestPlugin => ({
  register: (_, emitter) => void emitter.hook('a.hook', kind, onError === undefined ? undefined : { onError }),
});
const tap = (fn: (...args: any[]) => unknown, order?: string): TestPlugin => ({
  register: (_, emitter) => void emitter.tap('a.hook', fn, order ? { order } : undefined),
});
const call = (kernel: any, ...args: unknown[]): Promise<unknown> => kernel.emitter.call('a.hook', [...args]);

test('series runs taps sequentially', async () => {
  const seen: string[] = [];
  const slow = async (name: string) => {
    seen.push(`${name} in`);
    await Promise.resolve();
    seen.push(`${name} out`);
  };
  const { kernel } = await loadTestKernel({ owner: owner('series'), a: tap(() => slow('a')), b: tap(() => slow('b')) });
  expect(await call(kernel)).toBeUndefined();
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out']);
});

test('bail stops at the first result', async () => {
  const seen: string[] = [];
  const { kernel } = await loadTestKernel({
    owner: owner('bail'),
    a: tap(() => void seen.push('a')),
    b: tap(() => 'no'),
    c: tap(() => void seen.push('c')),
  });
  expect(await call(kernel)).toBe('no');
  expect(seen).toEqual(['a']);
});

test('waterfall passes the value on, keeps it for undefined, and returns the input without taps', async () => {
  const { kernel, close } = await loadTestKernel({
    owner: owner('waterfall'),
    a: tap((value, by) => value + by),
    b: tap(() => undefined),
    c: tap((value) => value * 2),
  });
  expect(await call(kernel, 1, 2)).toBe(6);
  await close();
  const bare = await loadTestKernel({ owner: owner('waterfall') });
  expect(await call(bare.kernel, 1, 2)).toBe(1);
});

test('onAnswer receives each result with its plugin and skips taps that returned none', async () => {
  const { kernel } = await loadTestKernel({
    owner: owner('waterfall'),
    a: tap((value) => value + 1),
    b: tap(() => undefined),
    c: tap(async (value) => value * 2),
  });
  const received: unknown[] = [];
  const onAnswer = (plugin: string, answer: unknown): unknown => received.push([plugin, answer]);
  expect(await (kernel as any).emitter.call('a.hook', [1], { onAnswer })).toBe(4);
  expect(received).toEqual([
    ['a', 2],
    ['c', 4],
  ]);
});

test('onFault receives each fault with its plugin, and the other taps run', async () => {
  const received: unknown[] = [];
  const { kernel } = await loadTestKernel({
    owner: owner('series'),
    a: tap(() => Promise.reject(new Error('the disk is full'))),
    b: tap(() => void received.push('b ran')),
  });
  await (kernel as any).emitter.call('a.hook', [1], { onFault: ({ hook, plugin, cause }: any) => received.push([hook, plugin, cause.message]) });
  expect(received).toEqual([['a.hook', 'a', 'the disk is full'], 'b ran']);
});

test('taps run in the order pre, normal, post, then in plugin order, also after a reload', async () => {
  const { kernel } = await loadTestKernel({
    owner: owner('waterfall'),
    a: tap((list) => [...list, 'a post'], 'post'),
    b: tap((list) => [...list, 'b']),
    c: tap((list) => [...list, 'c']),
    z: tap((list) => [...list, 'z pre'], 'pre'),
  });
  const order = ['z pre', 'b', 'c', 'a post'];
  expect(await call(kernel, [])).toEqual(order);
  await kernel.control.setDisabled(['b']);
  expect(await call(kernel, [])).toEqual(['z pre', 'c', 'a post']);
  await kernel.control.setDisabled([]);
  expect(await call(kernel, [])).toEqual(order);
});

const broken = tap(() => {
  throw new Error('broken tap');
});

test('skip: a failing tap is ignored and logged with its plugin and hook', async () => {
  const { kernel, logs } = await loadTestKernel({ owner: owner('waterfall', 'skip'), a: broken, b: tap((value) => value + 1) });
  expect(await call(kernel, 1)).toBe(2);
  expect(logs).toContain("warn a: failed in hook 'a.hook': broken tap");
});

test('throw: the call rejects with the plugin, the hook and the cause', async () => {
  const { kernel } = await loadTestKernel({ owner: owner('series', 'throw'), a: broken });
  await expect(call(kernel)).rejects.toMatchObject({
    code: 'KRN_ERR_HOOK_FAULT',
    plugin: 'a',
    hook: 'a.hook',
    cause: expect.objectContaining({ message: 'broken tap' }),
  });
});

test('a fallback supplies the result for a failing guard', async () => {
  const { kernel } = await loadTestKernel({ owner: owner('bail', ({ plugin }: any) => ({ deny: plugin })), a: broken, b: tap(() => 'too late') });
  expect(await call(kernel)).toEqual({ deny: 'a' });
});

test('an undeclared hook: taps are reported and calls reject', async () => {
  const { kernel, report } = await loadTestKernel({ a: tap(() => 1) }, { origin: 'user' });
  expect(report.warnings).toEqual(["Plugin 'a' taps 'a.hook', which no plugin declares."]);
  await expect(call(kernel)).rejects.toMatchObject({ code: 'KRN_ERR_HOOK_UNKNOWN' });
});

test('a hook has one owner', async () => {
  const { reason } = await loadTestKernel({ a: owner('series'), b: owner('series') });
  expect(reason('b')).toContain("declared by both 'a' and 'b'");
});
