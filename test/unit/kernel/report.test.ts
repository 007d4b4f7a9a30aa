// Tests that the report stays the same object until something it shows changes.
import { expect, test } from 'vitest';
import { loadTestKernel, toModules } from '../../helpers/test-kernel.ts';

async function open() {
  let registry: any;
  let emitter: any;
  const world = await loadTestKernel({
    owner: {
      manifest: { events: ['done'], config: { type: 'object', properties: { depth: { type: 'number', env: 'DEPTH', maximum: 3 } } } as never },
      register(own, ownEmitter) {
        [registry, emitter] = [own, ownEmitter];
        own.point('thing', {
          added: (item: any) => {
            if (item.isBad) throw new Error('bad item');
          },
          removed: () => undefined,
        });
        ownEmitter.hook('a.hook', 'series');
      },
    },
    other: {},
  });
  const report = () => world.kernel.control.report();
  return { ...world, registry, emitter, report };
}

test('returns the cached report after events, calls and services that change nothing', async () => {
  const { report, emitter, registry, kernel, close } = await open();
  const first = report();
  emitter.emit('done', {});
  await emitter.call('a.hook', []);
  registry.error('NONE');
  await kernel.control.idle();
  expect(report()).toBe(first);
  await close();
});

test.each<[string, (world: Awaited<ReturnType<typeof open>>) => unknown, object]>([
  ['a registration', ({ registry }) => registry.add('thing', { name: 'x' }), { adds: expect.arrayContaining(['thing:x']) }],
  [
    'a registration in a child scope',
    ({ registry }) => registry.child('part').defer(() => undefined, 'timer'),
    { adds: expect.arrayContaining(['defer:timer']) },
  ],
  ['a fault at a point', ({ registry }) => registry.add('thing', { name: 'x', isBad: true }), { warnings: [expect.stringContaining('bad item')] }],
  ['a setting out of range', ({ kernel }) => kernel.control.setPreferences({ DEPTH: '7' }), { warnings: [expect.stringContaining('DEPTH')] }],
  ['a disabled plugin', ({ kernel }) => kernel.control.setDisabled(['owner']), { state: 'disabled' }],
])('shows %s immediately', async (_, change, row) => {
  const world = await open();
  const first = world.report();
  await change(world);
  expect(world.report()).not.toBe(first);
  expect(world.report().plugins.find(({ name }) => name === 'owner')).toMatchObject(row);
  expect(world.report()).toBe(world.report());
  await world.close();
});

test('shows a disposed item, a running tap and a plugin loaded later', async () => {
  const { report, registry, emitter, kernel, close } = await open();
  const item = registry.add('thing', { name: 'x' });
  report();
  item.dispose();
  expect(report().plugins.find(({ name }) => name === 'owner')?.adds).not.toContain('thing:x');
  let end = (): void => undefined;
  const tap = emitter.tap('a.hook', () => new Promise<void>((resolve) => (end = resolve)));
  const calling = emitter.call('a.hook', []);
  expect(report().plugins.find(({ name }) => name === 'owner')?.runningTaps).toEqual([{ hook: 'a.hook', ms: expect.any(Number), isLeft: false }]);
  end();
  await calling;
  tap.dispose();
  expect(report().plugins.flatMap(({ runningTaps }) => runningTaps)).toEqual([]);
  await kernel.plugins.load({ sources: [{ origin: 'user', modules: toModules({ late: {} }) }] });
  expect(report().plugins.map(({ name }) => name)).toContain('late');
  await close();
});

test('stateOf returns the state of the plugin with that name', async () => {
  const { kernel } = await loadTestKernel(
    { a: {}, b: { manifest: { requires: ['moon'] } } },
    { sources: [{ origin: 'user', modules: toModules({ a: {}, c: {} }) }], disabled: ['c'] },
  );
  expect(['a', 'b', 'c', 'd'].map((name) => kernel.control.stateOf(name))).toEqual(['active', 'unmet', 'disabled', undefined]);
});

test('isLoading is true while further plugins load or are scheduled to load', async () => {
  const { report, kernel, close } = await open();
  expect(report().isLoading).toBe(false);
  let begin = (): void => undefined;
  const loading = kernel.plugins.later(
    () => kernel.plugins.load({ sources: [{ origin: 'user', modules: toModules({ late: {} }) }] }),
    new Promise<void>((resolve) => (begin = resolve)),
  );
  expect(report().isLoading).toBe(true);
  begin();
  await loading;
  await Promise.resolve();
  expect(report()).toMatchObject({ isLoading: false, plugins: expect.arrayContaining([expect.objectContaining({ name: 'late' })]) });
  await close();
});
