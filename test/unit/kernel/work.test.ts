// Tests that the app starts with its first holder and stops after its last.
import { expect, test } from 'vitest';
import { loadPlugins } from '../../../kernel/index.ts';
import { loadTestKernel, toModules, type TestPlugin } from '../../helpers/test-kernel.ts';

test('two holders start the app once, and it stops after both are disposed', async () => {
  const seen: string[] = [];
  const { kernel, close } = await loadTestKernel({
    worker: { register: (_, emitter) => ['app.start', 'app.stop'].forEach((hook) => emitter.tap(hook, () => void seen.push(hook))) },
  });
  const [one, two] = await Promise.all([kernel.control.start(), kernel.control.start()]);
  await one.dispose();
  await one.dispose();
  expect(seen).toEqual(['app.start']);
  await two.dispose();
  expect(seen).toEqual(['app.start', 'app.stop']);
  const three = await kernel.control.start();
  expect(await close()).toEqual([]);
  await three.dispose();
  expect(seen).toEqual(['app.start', 'app.stop', 'app.start', 'app.stop']);
});

test('a throwing tap aborts the app start, stops what began, and allows another attempt', async () => {
  let isBroken = true;
  const seen: string[] = [];
  const { kernel } = await loadTestKernel({
    worker: {
      register(_, emitter) {
        emitter.tap('app.start', () => {
          if (isBroken) throw new Error('home is locked');
        });
        emitter.tap('app.stop', () => void seen.push('stop'));
      },
    },
  });
  await expect(kernel.control.start()).rejects.toThrow('home is locked');
  expect(seen).toEqual(['stop']);
  isBroken = false;
  await (await kernel.control.start()).dispose();
  expect(seen).toEqual(['stop', 'stop']);
});

test('app.start reaches third-party plugins loaded while the app runs, once each, despite a failing one', async () => {
  const seen: string[] = [];
  const { kernel } = await loadTestKernel({ inside: {} });
  const startTap = (name: string): TestPlugin => ({ register: (_, emitter) => void emitter.tap('app.start', () => void seen.push(name)) });
  const load = (modules: Record<string, TestPlugin>): Promise<unknown> =>
    loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'user', modules: toModules(modules) }] });
  await load({ early: startTap('early') });
  expect(seen).toEqual([]);
  const working = await kernel.control.start();
  expect(seen).toEqual(['early']);
  await load({
    breaks: {
      register: (_, emitter) =>
        void emitter.tap('app.start', () => {
          throw new Error('not today');
        }),
    },
    late: startTap('late'),
  });
  await expect.poll(() => seen).toEqual(['early', 'late']);
  expect(kernel.control.report().plugins.map(({ state }) => state)).toEqual(['active', 'active', 'active', 'active']);
  await working.dispose();
  await load({ last: startTap('last') });
  await kernel.control.idle();
  expect(seen).toEqual(['early', 'late']);
});

test('a late plugin whose app.start never ends blocks neither later plugins nor the stop', async () => {
  const { kernel, close } = await loadTestKernel({ inside: {} });
  const working = await kernel.control.start();
  const seen: string[] = [];
  const endless: TestPlugin = { register: (_, emitter) => void emitter.tap('app.start', () => new Promise(() => undefined)) };
  const after: TestPlugin = { register: (_, emitter) => void emitter.tap('app.start', () => void seen.push('after')) };
  for (const modules of [{ endless }, { after }] as Record<string, TestPlugin>[])
    await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'user', modules: toModules(modules) }] });
  await expect.poll(() => seen).toEqual(['after']);
  await working.dispose();
  expect(await close()).toEqual([]);
});

test('a deferred load starts when its trigger resolves or when a caller waits for the kernel', async () => {
  const { kernel } = await loadTestKernel({ inside: {} });
  const seen: string[] = [];
  const load = (name: string, after: Promise<void>): Promise<unknown> => {
    const modules = toModules({ [name]: { register: () => void seen.push(name) } });
    return kernel.plugins.later(() => kernel.plugins.load({ sources: [{ origin: 'user', modules }] }), after);
  };
  let begin = (): void => undefined;
  const loading = load('one', new Promise((done) => (begin = done)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toEqual([]);
  begin();
  await loading;
  expect(seen).toEqual(['one']);
  const waiting = load('two', new Promise(() => undefined));
  await kernel.control.idle();
  await waiting;
  expect(seen).toEqual(['one', 'two']);
});
