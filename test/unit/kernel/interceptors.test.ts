import { expect, test } from 'vitest';
import type { Interceptor } from 'agent-harness/kernel';
import { loadTestKernel, toModules, type TestPlugin } from '../../helpers/test-kernel.ts';

const boom = new Error('boom');

/** Loads `outside` as a user plugin, together with an owner of events, a hook, a point and a service. */
async function open(outside: TestPlugin, ...interceptors: Interceptor[]) {
  let owner: any;
  const items: any[] = [];
  const world = await loadTestKernel(
    {
      owner: {
        manifest: { events: ['thing_done'] },
        register(registry, emitter) {
          owner = emitter;
          emitter.hook('a.hook', 'bail');
          registry.point('thing', { added: (item: any) => items.push(item), removed: () => undefined });
        },
      },
    },
    {
      origin: 'builtin',
      sources: [{ origin: 'user', modules: toModules({ outside }) }],
      kernel: { interceptors },
    },
  );
  return { ...world, owner, items };
}

test('a rejected listener promise is reported once with its plugin and raises no unhandled rejection', async () => {
  const escaped: unknown[] = [];
  const note = (fault: unknown): void => void escaped.push(fault);
  process.on('unhandledRejection', note);
  const { owner, errors, logs, close } = await open({ register: (_, emitter) => void emitter.on('thing_done', () => Promise.reject(boom)) });
  owner.emit('thing_done', {});
  owner.emit('thing_done', {});
  await new Promise(setImmediate);
  process.removeListener('unhandledRejection', note);
  expect(escaped).toEqual([]);
  const message = "An asynchronous listener of plugin 'outside' for the event 'thing_done' rejected: boom";
  expect(errors).toEqual([{ source: 'plugin', plugin: 'outside', code: 'KRN_ERR_LISTENER_REJECTED', message }]);
  expect(logs).toEqual([`error outside: ${message}`, `error outside: ${message}`]);
  await close();
});

test('a failing listener of `error` is only logged, whether it throws or rejects', async () => {
  const { owner, errors, logs, close } = await open({
    register(_, emitter) {
      emitter.on('error', () => Promise.reject(boom));
      emitter.on('error', () => {
        throw boom;
      });
    },
  });
  owner.emit('error', { source: 'plugin', code: 'X', message: 'y' });
  await new Promise(setImmediate);
  expect(errors).toHaveLength(1);
  expect(logs.filter((line) => line.includes("listener of 'error' failed: boom"))).toHaveLength(2);
  await close();
});

test('interceptors wrap every call into third-party plugin code and none into product code', async () => {
  const ran: string[] = [];
  const kinds: string[] = [];
  const note: Interceptor = ({ plugin, what }, work) => {
    kinds.push(what);
    ran.push(plugin);
    return work();
  };
  const { owner, items, kernel, close } = await open(
    {
      manifest: { provides: ['thing'] },
      register(registry, emitter) {
        registry.provide('thing', () => 'made');
        registry.add('thing', { name: 'item', run: () => 'ran' });
        registry.defer(() => void ran.push('undo'));
        emitter.on('thing_done', () => void ran.push('listener'));
        emitter.tap('a.hook', () => void ran.push('tap'));
      },
    },
    note,
  );
  // One step reads the exports, then another calls register.
  const steps = (): string[] => ran.splice(0);
  expect(new Set(steps())).toEqual(new Set(['outside']));
  owner.emit('thing_done', {});
  expect(steps()).toEqual(['outside', 'listener']);
  await owner.call('a.hook', []);
  expect(steps()).toEqual(['outside', 'tap']);
  expect(kernel.resolve('thing' as never)).toBe('made');
  expect(steps()).toEqual(['outside']);
  expect(kernel.control.runAs('outside', () => items[0].run(), 'thing')).toBe('ran');
  expect(kernel.control.runAs('owner', () => 'of the product')).toBe('of the product');
  expect(steps()).toEqual(['outside']);
  await close();
  expect(steps()).toEqual(['outside', 'undo']);
  expect(kinds).toEqual(['load', 'register', 'listener', 'hook', 'service', 'thing', 'end']);
});

test('an exception from an interceptor fails the plugin', async () => {
  const around: Interceptor = ({ plugin }, work) => {
    work();
    throw new Error(`${plugin} did something`);
  };
  const { state, reason, close } = await open({}, around);
  expect(state('outside')).toBe('failed');
  expect(reason('outside')).toContain('outside did something');
  await close();
});

test('a host can report a plugin fault, and a repeated report is emitted once', async () => {
  const { kernel, errors, close } = await open({});
  for (let times = 0; times < 2; times++) kernel.blame('outside', 'failed in a timer: boom');
  expect(errors).toEqual([{ source: 'plugin', plugin: 'outside', code: 'KRN_ERR_PLUGIN_FAULT', message: "Plugin 'outside' failed in a timer: boom" }]);
  await close();
});

test('an unknown name produces a warning on the plugin with the closest match', async () => {
  const closest = (wanted: string, names: readonly string[]): string[] => names.filter((name) => name.slice(0, 2) === wanted.slice(0, 2));
  const { report, errors, kernel } = await loadTestKernel(
    {
      owner: {
        manifest: { events: ['turn_end'] },
        register: (registry, emitter) => (registry.point('thing', { added: () => undefined, removed: () => undefined }), void emitter.hook('a.hook', 'bail')),
      },
      // The manifest names the owner of an event even if the owner is disabled.
      off: { manifest: { events: ['other_end'] } },
    },
    {
      disabled: ['off'],
      kernel: { closest },
      sources: [
        {
          origin: 'user',
          modules: toModules({
            outside: {
              register(registry, emitter) {
                registry.add('thnig', { name: 'x' });
                emitter.tap('a.hok', () => undefined);
                registry.add('zzz', { name: 'x' });
                for (const event of ['turn_edn', 'turn_end', 'other_end', 'error', 'kernel_ready']) emitter.on(event, () => undefined);
              },
            },
          }),
        },
      ],
    },
  );
  const warnings = [
    "Plugin 'outside' adds to 'thnig', which no plugin owns; did you mean 'thing'?",
    "Plugin 'outside' adds to 'zzz', which no plugin owns.",
    "Plugin 'outside' listens to 'turn_edn', which no plugin emits; did you mean 'turn_end'?",
    "Plugin 'outside' taps 'a.hok', which no plugin declares; did you mean 'a.hook'?",
  ];
  expect(report.plugins.find(({ name }) => name === 'outside')).toMatchObject({ state: 'active', warnings });
  expect(errors.map(({ plugin, message }) => [plugin, message])).toEqual(warnings.map((message) => ['outside', message]));
  expect(kernel.control.report().plugins.find(({ name }) => name === 'owner')?.warnings).toEqual([]);
});

test('the first interceptor is the outermost, and each receives the return value of the plugin code', async () => {
  const seen: string[] = [];
  const named =
    (name: string): Interceptor =>
    ({ what }, work) => {
      seen.push(`${name} before ${what}`);
      const answer = work();
      seen.push(`${name} after ${String(answer)}`);
      return answer;
    };
  const { kernel, close } = await open({}, named('outer'), named('inner'));
  seen.length = 0;
  expect(kernel.control.runAs('outside', () => 'done', 'thing')).toBe('done');
  expect(seen).toEqual(['outer before thing', 'inner before thing', 'inner after done', 'outer after done']);
  await close();
});
