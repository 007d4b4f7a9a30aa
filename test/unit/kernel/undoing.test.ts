import { expect, test } from 'vitest';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

test('a value that register returns after its limit is disposed even while disposers run', async () => {
  let answer = (_: object): void => undefined;
  let finish = (): void => undefined;
  const disposed: string[] = [];
  const plugin = {
    register(registry: any) {
      registry.defer(() => {
        answer({ dispose: () => void disposed.push('late') });
        return new Promise<void>((resolve) => (finish = resolve));
      });
      return new Promise((resolve) => (answer = resolve));
    },
  };
  const loading = loadTestKernel({ plugin }, { timeoutMs: 20, origin: 'user' });
  await expect.poll(() => disposed).toEqual(['late']);
  finish();
  const { state, close } = await loading;
  expect(state('plugin')).toBe('failed');
  await close();
});

test('a service under disposal cannot be created again, and optional readers see undefined', async () => {
  let reader: any;
  let made = 0;
  let during: unknown;
  const { kernel } = await loadTestKernel({
    maker: {
      manifest: { provides: ['clock'] },
      register: (registry) =>
        void registry.provide('clock', () => ({ n: ++made }), {
          async dispose() {
            await Promise.resolve();
            during = reader.services.clock;
            expect(() => kernel.resolve('clock' as never)).toThrow(expect.objectContaining({ code: 'KRN_ERR_SERVICE_GONE' }));
          },
        }),
    },
    reader: { manifest: { optional: ['clock'] }, register: (registry) => void ((reader = registry), registry.services.clock) },
  });
  await kernel.control.setDisabled(['maker']);
  expect([made, during]).toEqual([1, undefined]);
  expect('clock' in reader.services).toBe(false);
});

test('an owner loses its point even if removing an item fails', async () => {
  let isStuck = true;
  const removed = (): void => {
    if (isStuck) throw new Error('stuck');
  };
  const { kernel, state, close } = await loadTestKernel({
    owner: { register: (registry) => void registry.point('thing', { added: () => undefined, removed }) },
    user: { register: (registry) => void registry.add('thing', { name: 'x' }) },
  });
  await kernel.control.setDisabled(['owner']);
  await kernel.control.setDisabled([]);
  expect(state('owner')).toBe('active');
  isStuck = false;
  expect(await close()).toEqual([]);
});

test('a system error code is wrapped with the plugin and hook, and a plugin error code is preserved', async () => {
  const fail = (code: string) => () => Promise.reject(Object.assign(new Error('broken'), { code }));
  const { kernel } = await loadTestKernel({
    owner: { register: (_, emitter) => ['a.run', 'b.run'].forEach((name) => emitter.hook(name, 'series', { onError: 'throw' })) },
    disk: { register: (_, emitter) => emitter.tap('a.run', fail('ENOENT')) },
    ours: { register: (_, emitter) => emitter.tap('b.run', fail('OURS_ERR_NO')) },
  });
  await expect((kernel.emitter.call as any)('a.run', [])).rejects.toMatchObject({ code: 'KRN_ERR_HOOK_FAULT', plugin: 'disk', hook: 'a.run' });
  await expect((kernel.emitter.call as any)('b.run', [])).rejects.toMatchObject({ code: 'OURS_ERR_NO' });
});

test('taps run in the current plan order, also after a later plugin reorders others', async () => {
  const seen: string[] = [];
  const tapping = (name: string, manifest: object = {}) => ({
    manifest,
    register(registry: any, emitter: any) {
      for (const key of (manifest as { provides?: string[] }).provides ?? []) registry.provide(key, () => name);
      emitter.tap('run', () => void seen.push(name));
    },
  });
  const { kernel } = await loadTestKernel(
    {
      'a-early': { manifest: { optional: ['late'] } },
      'b-first': tapping('b-first'),
      'c-late': { ...tapping('c-late', { provides: ['late'] }) },
      owner: { register: (_, emitter) => emitter.hook('run', 'series') },
    },
    { disabled: ['a-early'] },
  );
  await (kernel.emitter.call as any)('run', []);
  await kernel.control.setDisabled([]);
  await (kernel.emitter.call as any)('run', []);
  expect(seen).toEqual(['b-first', 'c-late', 'c-late', 'b-first']);
  expect(kernel.trace().filter((label) => label.startsWith('tap:'))).toEqual(['tap:run#0@c-late', 'tap:run#1@b-first']);
});
