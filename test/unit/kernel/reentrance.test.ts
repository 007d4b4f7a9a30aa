// Tests reentrant calls: the kernel rejects work that would wait for itself immediately and queues all other work.
import { expect, test } from 'vitest';
import type { Interceptor, Kernel, KernelControl } from 'agent-harness/kernel';
import { loadTestKernel, toModules, type TestPlugin } from '../../helpers/test-kernel.ts';

const asking: [string, (control: KernelControl, kernel: Kernel) => Promise<unknown>][] = [
  ['idle', (control) => control.idle()],
  ['setDisabled', (control) => control.setDisabled([])],
  ['setPreferences', (control) => control.setPreferences({})],
  ['close', (_, kernel) => kernel.close()],
];
const reentrant = { code: 'KRN_ERR_REENTRANT', message: expect.stringContaining('would wait for itself') };

test.each(asking)('%s awaited in register is rejected immediately with the plugin name', async (_, ask) => {
  const opened: { kernel?: Kernel } = {};
  const waits: TestPlugin = {
    manifest: { requires: ['kernel'] },
    register: async (registry) =>
      void (await Promise.resolve(), await ask(registry.services.kernel, opened.kernel ?? ({ close: () => registry.services.kernel.idle() } as Kernel))),
  };
  const { report, kernel } = await loadTestKernel({ waits });
  opened.kernel = kernel;
  expect(report.plugins[0]).toMatchObject({ state: 'failed', code: 'KRN_ERR_REENTRANT', reason: reentrant.message });
});

test.each(asking)('%s awaited in a disposer is rejected immediately instead of after the limit', async (_, ask) => {
  const opened: { kernel?: Kernel } = {};
  const { close, ...world } = await loadTestKernel({
    waits: { register: (registry) => void registry.defer(() => ask((opened.kernel as Kernel).control, opened.kernel as Kernel)) },
  });
  opened.kernel = world.kernel;
  expect(await close()).toMatchObject([reentrant]);
});

test('starting or stopping the app inside its own start is rejected', async () => {
  const faults: unknown[] = [];
  const { kernel } = await loadTestKernel({
    worker: {
      manifest: { requires: ['kernel'] },
      register(registry, emitter) {
        const again = (): Promise<void> => registry.services.kernel.start().then(undefined, (fault: unknown) => void faults.push(fault));
        for (const hook of ['app.start', 'app.stop']) emitter.tap(hook, again);
      },
    },
  });
  await (await kernel.control.start()).dispose();
  expect(faults).toMatchObject([reentrant, reentrant]);
});

test('listeners and timers started by register may call the kernel later', async () => {
  const done: string[] = [];
  let ask: () => Promise<unknown> = () => Promise.resolve();
  const { kernel } = await loadTestKernel({
    listens: {
      manifest: { requires: ['kernel'] },
      register(registry, emitter) {
        emitter.on('plugin_changed', ({ name }: { name: string }) => void registry.services.kernel.idle().then(() => done.push(name)));
        // Its asynchronous context is that of the load, which has ended by then.
        const later = new Promise((resolve) => setImmediate(() => resolve(registry.services.kernel.setDisabled(['other']))));
        ask = () => later;
      },
    },
    other: {},
  });
  await ask();
  await kernel.control.idle();
  await new Promise(setImmediate);
  expect(done).toEqual(expect.arrayContaining(['listens', 'other']));
});

test('dispose() and close() return the same promise each time and wait for a running disposer', async () => {
  let finish = (): void => undefined;
  let registry: any;
  const seen: string[] = [];
  const slow = async (): Promise<void> => {
    await new Promise<void>((resolve) => (finish = resolve));
    seen.push('undone');
  };
  const { kernel } = await loadTestKernel({ a: { register: (own) => void (registry = own) } });
  const part = registry.child('part');
  part.defer(slow);
  const first = part.dispose();
  expect(part.dispose()).toBe(first);
  void part.dispose().then(() => seen.push('second is told'));
  finish();
  await first;
  await new Promise(setImmediate);
  expect(seen.splice(0)).toEqual(['undone', 'second is told']);
  const early = registry.defer(slow);
  expect(early.dispose()).toBe(early.dispose());
  const closing = kernel.close();
  void kernel.close().then((faults) => seen.push(`closed with ${faults.length}`));
  await new Promise(setImmediate);
  finish();
  expect(await closing).toEqual([]);
  await new Promise(setImmediate);
  expect(seen).toEqual(['undone', 'closed with 0']);
});

test('a disposer that disposes itself or its own scope does not deadlock', async () => {
  const { kernel } = await loadTestKernel({
    a: {
      register(registry) {
        const own = registry.defer(async () => void (await own.dispose()));
        const part = registry.child('part');
        part.defer(async () => void (await part.dispose()));
        const sync = registry.defer(() => void sync.dispose());
      },
    },
  });
  expect(await kernel.close()).toEqual([]);
});

test('an interceptor may call the kernel, while the intercepted register is still rejected', async () => {
  const asked: Promise<void>[] = [];
  const faults: unknown[] = [];
  const ask: Interceptor = ({ what }, work) => {
    if (what === 'register') asked.push(control().idle());
    return work();
  };
  const { kernel } = await loadTestKernel({}, { kernel: { interceptors: [ask] } });
  const control = (): KernelControl => kernel.control;
  const modules = toModules({
    waits: {
      manifest: { requires: ['kernel'] },
      register: async ({ services }) => void (await services.kernel.idle().catch((fault: unknown) => faults.push(fault))),
    },
  });
  await kernel.plugins.load({ sources: [{ origin: 'user', modules }] });
  await Promise.all(asked);
  expect([asked.length, faults]).toEqual([1, [expect.objectContaining({ code: 'KRN_ERR_REENTRANT' })]]);
});

test.each(['builtin', 'user'] as const)('a point owner may call the kernel while a contributing %s plugin registers', async (origin) => {
  const asked: Promise<void>[] = [];
  const { kernel } = await loadTestKernel({
    owner: {
      manifest: { requires: ['kernel'] },
      register(registry) {
        const ask = (): void => void asked.push(registry.services.kernel.setPreferences({}));
        registry.point('thing', { added: ask, removed: ask });
      },
    },
  });
  const modules = toModules({ adds: { register: (registry) => void registry.add('thing', {}) } });
  await kernel.plugins.load({ sources: [{ origin, modules }] });
  await kernel.control.setDisabled(['adds']);
  await Promise.all(asked);
  expect(asked).toHaveLength(2);
});
