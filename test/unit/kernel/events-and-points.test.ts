import { expect, test } from 'vitest';
import { loadTestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

test('an event reaches its listeners synchronously, and a throwing listener does not block the next', async () => {
  const seen: unknown[] = [];
  let emit: any;
  const { logs, errors } = await loadTestKernel({
    a: {
      register: (_, emitter) =>
        void emitter.on('thing_done', () => {
          throw new Error('bad listener');
        }),
    },
    b: { register: (_, emitter) => void emitter.on('thing_done', (payload: unknown) => seen.push(payload)) },
    owner: { manifest: { events: ['thing_done'] }, register: (_, emitter) => void (emit = emitter.emit) },
  });
  emit('thing_done', { n: 1 });
  expect(seen).toEqual([{ n: 1 }]);
  expect(errors).toMatchObject([{ plugin: 'a', code: 'KRN_ERR_LISTENER_FAULT' }]);
  expect(logs).toEqual(["error a: Plugin 'a' failed in its listener for the event 'thing_done': bad listener"]);
});

test('only the owner may emit an event, except `error`, which names the emitting plugin', async () => {
  let other: any;
  const { errors, reason } = await loadTestKernel({
    a: { manifest: { events: ['thing_done'] } },
    b: { register: (_, emitter) => void (other = emitter.emit) },
    c: { manifest: { events: ['thing_done'] } },
  });
  expect(() => other('thing_done', {})).toThrow(
    expect.objectContaining({ code: 'KRN_ERR_EVENT_NOT_OWNER', message: expect.stringContaining("it belongs to 'a'") }),
  );
  expect(() => other('nobodys', {})).toThrow(/no manifest lists it/);
  expect(reason('c')).toContain("owned by both 'a' and 'c'");
  other('error', { source: 'plugin', code: 'X', message: 'y' });
  expect(errors.at(-1)).toEqual({ plugin: 'b', source: 'plugin', code: 'X', message: 'y' });
});

test.for([
  ['builtin', 'a'],
  ['bundle', 'b'],
  ['user', 'b'],
] as const)('an error that a %s plugin emits for another plugin names %s', async ([origin, named]) => {
  let emit: any;
  const { errors } = await loadTestKernel({ a: {}, b: { register: (_, emitter) => void (emit = emitter.emit) } }, { origin });
  emit('error', { source: 'plugin', plugin: 'a', code: 'X', message: 'y' });
  expect(errors.at(-1)).toMatchObject({ plugin: named });
});

const pointOwner = (added: string[], removed: string[]): TestPlugin => ({
  register: (registry) =>
    void registry.point('thing', {
      validate: (item: any, plugin: string) => (added.includes(item.name) ? `'${item.name}' of ${plugin} is there already` : undefined),
      added: (item: any) => added.push(item.name),
      removed: (item: any) => removed.push(item.name),
    }),
});
const adds = (name: string): TestPlugin => ({ register: (registry) => void registry.add('thing', { name }) });

test('contributions wait for the point owner and are removed when either side unloads', async () => {
  const added: string[] = [];
  const removed: string[] = [];
  const { kernel } = await loadTestKernel({ a: adds('one'), owner: pointOwner(added, removed), z: adds('two') });
  expect(added).toEqual(['one', 'two']);
  await kernel.control.setDisabled(['z']);
  expect(removed).toEqual(['two']);
  await kernel.control.setDisabled(['z', 'owner']);
  expect(removed).toEqual(['two', 'one']);
});

test('an item rejected by the point owner fails its plugin, and a waiting one is reported', async () => {
  const { state, reason, close } = await loadTestKernel({ owner: pointOwner([], []), x: adds('same'), y: adds('same') });
  expect([state('x'), state('y')]).toEqual(['active', 'failed']);
  expect(reason('y')).toBe("Plugin 'y' cannot add to 'thing': 'same' of y is there already");
  await close();
  const waited = await loadTestKernel({ a: adds('same'), b: adds('same'), owner: pointOwner([], []) });
  expect(waited.errors).toMatchObject([{ plugin: 'b', code: 'KRN_ERR_CONTRIBUTION_INVALID' }]);
  expect(waited.report.warnings).toEqual(["Plugin 'b' cannot add to 'thing': 'same' of b is there already"]);
});

test('a contribution point has one owner', async () => {
  const { reason } = await loadTestKernel({ a: pointOwner([], []), b: pointOwner([], []) });
  expect(reason('b')).toContain("owned by both 'a' and 'b'");
});

test('unowned points and undeclared hooks produce warnings for third-party plugins, not for product plugins', async () => {
  const lost: TestPlugin = {
    register(registry, emitter) {
      registry.add('lost', { name: 'x' });
      emitter.tap('lost.hook', () => undefined);
    },
  };
  for (const origin of ['platform', 'builtin'] as const) {
    const { report, errors } = await loadTestKernel({ c: lost }, { origin });
    expect([report.warnings, report.plugins.flatMap(({ warnings }) => warnings), errors]).toEqual([[], [], []]);
  }
  const { report } = await loadTestKernel({ c: lost }, { origin: 'user' });
  expect(report.warnings).toEqual(["Plugin 'c' adds to 'lost', which no plugin owns.", "Plugin 'c' taps 'lost.hook', which no plugin declares."]);
});
