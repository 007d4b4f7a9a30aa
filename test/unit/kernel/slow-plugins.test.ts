// Tests slow plugins: one that is slow or never finishes its start does not delay the others, and only idle event loop time counts.
import { afterEach, expect, test, vi } from 'vitest';
import { startClock } from '../../../kernel/free-clock.ts';
import type { PluginEntry } from 'agent-harness/kernel';
import { loadTestKernel, toModules, type TestPlugin } from '../../helpers/test-kernel.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const entry = (name: string, load: () => Promise<unknown>): PluginEntry => ({ name, place: `${name}.mjs`, load });
const loadUser = (kernel: any, plugins: Record<string, TestPlugin>, timeoutMs?: number): Promise<any> =>
  kernel.plugins.load({ sources: [{ origin: 'user', modules: toModules(plugins) }], ...(timeoutMs === undefined ? {} : { timeoutMs }) });
/** A register that completes on request. */
function gated(more: (registry: any, emitter: any) => void = () => undefined, manifest: TestPlugin['manifest'] = {}) {
  let open = (_?: unknown): void => undefined;
  let begun = (): void => undefined;
  const entered = new Promise<void>((resolve) => (begun = resolve));
  const plugin: TestPlugin = {
    manifest,
    register(registry, emitter) {
      more(registry, emitter);
      begun();
      return new Promise((resolve) => (open = resolve));
    },
  };
  return { plugin, entered, open: (answer?: unknown) => open(answer) };
}

afterEach(() => void vi.restoreAllMocks());

test('plugins that never finish their import or register delay neither other plugins nor changes', async () => {
  const { kernel, state, reason, errors, close } = await loadTestKernel({ inside: {} });
  const [one, two] = [gated(), gated()];
  const entries = [entry('hung-import', never), entry('hung-too', never)];
  const imports = kernel.plugins.load({ sources: [{ origin: 'user', entries }] });
  const loading = loadUser(kernel, { 'a-hung': one.plugin, 'b-hung': two.plugin, 'c-fine': {}, 'd-async': { register: async () => undefined } });
  await Promise.all([one.entered, two.entered]);
  await kernel.control.setPreferences({});
  expect(['a-hung', 'b-hung'].map((name) => [state(name), reason(name)])).toEqual(Array(2).fill(['unmet', 'is starting']));
  expect([state('c-fine'), state('d-async'), state('hung-import')]).toEqual(['active', 'active', undefined]);
  await kernel.control.setDisabled(['a-hung', 'c-fine']);
  expect([state('a-hung'), state('c-fine')]).toEqual(['disabled', 'disabled']);
  two.open();
  await loading;
  expect([state('b-hung'), errors]).toEqual(['active', []]);
  expect(await close()).toEqual([]);
  imports.catch(() => undefined);
});

test('hanging plugins fail in parallel at the same limit', async () => {
  const { kernel, errors } = await loadTestKernel({});
  const hung = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { register: never }]));
  const started = performance.now();
  const [report] = await Promise.all([
    loadUser(kernel, hung, 100),
    kernel.plugins.load({ sources: [{ origin: 'user', entries: [entry('d', never), entry('e', never)] }], timeoutMs: 100 }),
  ]);
  expect(performance.now() - started).toBeLessThan(3 * 100 + 1_000);
  expect(report.plugins).toHaveLength(3);
  expect(kernel.control.report().plugins.map(({ name, code }) => [name, code])).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'KRN_ERR_PLUGIN_TIMEOUT']),
  );
  expect(errors.map(({ plugin }) => plugin).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('required and optional dependents wait for a slow plugin and register once', async () => {
  const { kernel, state, reason } = await loadTestKernel({});
  const seen: string[] = [];
  const user = (needs: object, name: string): TestPlugin => ({
    manifest: needs,
    register: (registry) => void seen.push(`${name} gets ${String(registry.services.slow)}`),
  });
  const slow = gated((registry) => registry.provide('slow', () => 'it'), { provides: ['slow'] });
  const loading = loadUser(kernel, {
    a: user({ requires: ['slow'] }, 'a'),
    b: user({ optional: ['slow'], provides: [] }, 'b'),
    slow: slow.plugin,
    z: user({ optional: ['slow'] }, 'z'),
  });
  await slow.entered;
  await kernel.control.setPreferences({});
  expect(['a', 'b', 'z'].map((name) => [state(name), reason(name)])).toEqual(Array(3).fill(['unmet', "waits for plugin 'slow', which is starting"]));
  slow.open();
  await loading;
  expect(seen).toEqual(['a gets it', 'b gets it', 'z gets it']);
});

test('a hanging plugin leaves its required dependents unmet and starts the optional ones without it', async () => {
  const { kernel, state, reason } = await loadTestKernel({});
  await loadUser(
    kernel,
    { a: { manifest: { requires: ['x'] } }, b: { manifest: { optional: ['x'] } }, x: { manifest: { provides: ['x'] }, register: never } },
    30,
  );
  expect([state('x'), state('a'), state('b')]).toEqual(['failed', 'unmet', 'active']);
  expect(reason('a')).toContain("provided by failed plugin 'x'");
});

test('a plugin disabled during its start is disposed, and so is its late return value', async () => {
  const seen: string[] = [];
  const slow = gated((registry) => {
    registry.signal.addEventListener('abort', () => seen.push('aborted'));
    registry.defer(() => void seen.push('undone'));
  });
  const { kernel, state, close } = await loadTestKernel({});
  const loading = loadUser(kernel, { slow: slow.plugin });
  await slow.entered;
  await kernel.control.setDisabled(['slow']);
  await loading;
  expect([state('slow'), seen.splice(0)]).toEqual(['disabled', ['aborted', 'undone']]);
  slow.open({ dispose: () => void seen.push('late') });
  await new Promise(setImmediate);
  expect(seen).toEqual(['late']);
  expect(await close()).toEqual([]);
});

test('a slow register that waits for the kernel is rejected immediately, even after its load pass ended', async () => {
  const faults: unknown[] = [];
  let go = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (go = resolve));
  const { kernel } = await loadTestKernel({});
  const loading = loadUser(kernel, {
    slow: {
      manifest: { requires: ['kernel'] },
      async register({ services }) {
        await isOver;
        for (const ask of [services.kernel.idle(), services.kernel.setDisabled([])]) await ask.catch((fault: unknown) => faults.push(fault));
      },
    },
  });
  await kernel.control.setPreferences({});
  await kernel.control.setPreferences({});
  go();
  await loading;
  expect(faults).toMatchObject(Array(2).fill({ code: 'KRN_ERR_REENTRANT', plugin: 'slow' }));
});

test('each plugin receives kernel_ready once, including slow and later ones', async () => {
  const seen: string[] = [];
  const hears = (name: string) => (_: unknown, emitter: any) => void emitter.on('kernel_ready', () => seen.push(name));
  const { kernel } = await loadTestKernel({ inside: { register: hears('inside') } });
  expect(seen.splice(0)).toEqual(['inside']);
  const slow = gated(hears('slow'));
  const loading = loadUser(kernel, { late: { register: hears('late') }, slow: slow.plugin });
  await slow.entered;
  await kernel.plugins.ready();
  await kernel.control.setPreferences({});
  expect(seen.splice(0)).toEqual(['late']);
  slow.open();
  await loading;
  expect(seen.splice(0)).toEqual(['slow']);
  await kernel.control.setDisabled(['late']);
  await kernel.control.setDisabled([]);
  expect(seen).toEqual(['late']);
});

test('idle waits for starting plugins and pending imports', async () => {
  const { kernel, state } = await loadTestKernel({});
  let arrive = (_: unknown): void => undefined;
  const slow = gated();
  const loads = [
    loadUser(kernel, { slow: slow.plugin }),
    kernel.plugins.load({ sources: [{ origin: 'user', entries: [entry('far', () => new Promise((resolve) => (arrive = resolve)))] }] }),
  ];
  await slow.entered;
  let isIdle = false;
  const idle = kernel.control.idle().then(() => (isIdle = true));
  slow.open();
  await loads[0];
  expect(isIdle).toBe(false);
  arrive({ register: () => undefined });
  await idle;
  expect([state('slow'), state('far')]).toEqual(['active', 'active']);
});

test('product plugins have no import or register limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const slow = gated();
    const opening = loadTestKernel({ slow: slow.plugin }, { timeoutMs: 5 });
    await slow.entered;
    await vi.advanceTimersByTimeAsync(60_000);
    slow.open();
    const { kernel, state, close } = await opening;
    let arrive = (_: unknown): void => undefined;
    const entries = [entry('far', () => new Promise((resolve) => (arrive = resolve)))];
    const loading = kernel.plugins.load({ sources: [{ origin: 'builtin', entries }] });
    await vi.advanceTimersByTimeAsync(60_000);
    arrive({ register: () => undefined });
    await loading;
    expect([state('slow'), state('far')]).toEqual(['active', 'active']);
    await close();
  } finally {
    vi.useRealTimers();
  }
});

test('blocked event loop time does not count against a plugin', async () => {
  const block = (ms: number): void => {
    for (const until = performance.now() + ms; performance.now() < until;);
  };
  const { kernel, state } = await loadTestKernel({});
  const busy = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        block(200);
        setImmediate(resolve);
      });
    });
  await loadUser(kernel, { busy: { register: busy } }, 100);
  await kernel.plugins.load({ sources: [{ origin: 'user', entries: [entry('slow-import', async () => (await busy(), { register: () => undefined }))] }] });
  expect([state('busy'), state('slow-import')]).toEqual(['active', 'active']);
});

test.each([
  ['never', 0, 5_000],
  ['a little', 99, 5_000],
  ['once for a minute', 60_000, 5_100],
])('a 5 s limit expires after 5 s of free event loop time (late %s)', async (_, lateMs, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let isExpired = false;
    startClock(5_000, () => (isExpired = true));
    let ticked = 0;
    for (let tick = 0; !isExpired; tick++) {
      now += 100 + (tick === 3 ? lateMs : 0);
      ticked += 100;
      vi.advanceTimersByTime(100);
    }
    expect(ticked).toBe(expected);
  } finally {
    vi.useRealTimers();
  }
});
