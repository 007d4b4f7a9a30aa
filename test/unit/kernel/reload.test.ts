import { expect, test } from 'vitest';
import { loadTestKernel, toModules, type TestPlugin } from '../../helpers/test-kernel.ts';

const setting = (env: string, more: object = {}): any => ({ type: 'object', properties: { value: { type: 'string', env, ...more } } });

test('a duplicate plugin name stays a failed entry after later setting changes', async () => {
  let registered = 0;
  const first: TestPlugin = {
    manifest: { provides: ['clock'], config: setting('T_VALUE') },
    register: (registry) => void (registered++, registry.provide('clock', () => 1)),
  };
  const { kernel, report } = await loadTestKernel(
    { twin: first },
    { sources: [{ origin: 'user', modules: toModules({ twin: { ...first, register: () => void expect.unreachable() } }) }] },
  );
  expect(report.plugins.map((plugin) => plugin.state)).toEqual(['active', 'failed']);
  await kernel.control.setPreferences({ T_VALUE: 'new' });
  expect(kernel.control.report().plugins.map((plugin) => [plugin.state, plugin.code])).toEqual([
    ['active', undefined],
    ['failed', 'KRN_ERR_PLUGIN_DUPLICATE'],
  ]);
  expect(registered).toBe(2);
  expect(kernel.control.fields().map((field) => field.key)).toEqual(['T_VALUE']);
});

test('a plugin whose reload fails is cleaned up, and its dependents continue where possible', async () => {
  const seen: unknown[] = [];
  const { kernel, state, reason } = await loadTestKernel({
    maker: {
      manifest: { provides: ['clock'], config: setting('T_VALUE') },
      register(registry) {
        registry.provide('clock', () => registry.config.value ?? 'tick');
        if (registry.config.value === 'bad') throw new Error('no reload');
      },
    },
    needs: { manifest: { requires: ['clock'] } },
    likes: { manifest: { optional: ['clock'] }, register: (registry) => void seen.push(registry.services.clock) },
    other: { manifest: { config: setting('T_OTHER') } },
  });
  await kernel.control.setPreferences({ T_VALUE: 'bad' });
  expect([state('maker'), state('needs'), state('likes')]).toEqual(['failed', 'unmet', 'active']);
  expect(reason('maker')).toContain('no reload');
  expect(kernel.trace()).toEqual([]);
  await kernel.control.setPreferences({ T_VALUE: 'bad', T_OTHER: 'x' });
  expect(seen).toEqual(['tick', undefined]);
  await kernel.control.setPreferences({ T_VALUE: 'good' });
  expect([state('maker'), state('needs')]).toEqual(['active', 'active']);
  expect(seen).toEqual(['tick', undefined, 'good']);
});

test('an unreadable value does not stop a running plugin, and its field stays visible and editable', async () => {
  const logs: string[] = [];
  let registered = 0;
  const { kernel, state } = await loadTestKernel(
    { one: { manifest: { config: setting('T_DIR', { pattern: '^/' }) }, register: () => void registered++ } },
    { kernel: { log: (_, plugin, message) => logs.push(`${plugin}: ${message}`) } },
  );
  await kernel.control.setPreferences({ T_DIR: 'relative' });
  expect([state('one'), registered]).toEqual(['active', 1]);
  expect(logs.join()).toContain("one: keeps its previous settings: Setting T_DIR of plugin 'one' is not valid");
  expect(kernel.control.fields()).toMatchObject([{ key: 'T_DIR', isSet: true, source: 'default', warning: expect.stringContaining('must match') }]);
  await kernel.control.setPreferences({ T_DIR: '/absolute' });
  expect(registered).toBe(2);
});

test('an unreadable value without a default fails at the start with its code, and its field is still listed', async () => {
  const { kernel, report } = await loadTestKernel(
    { one: { manifest: { config: setting('T_DIR', { pattern: '^/' }) } } },
    { kernel: { preferences: { T_DIR: 'relative' } } },
  );
  expect(report.plugins).toMatchObject([{ state: 'failed', code: 'KRN_ERR_CONFIG_INVALID' }]);
  expect(kernel.control.fields().map((field) => field.key)).toEqual(['T_DIR']);
});

test('an ephemeral setting applies from the environment or at run time, never from a file at the start', async () => {
  const yolo = { type: 'object', properties: { on: { type: 'boolean', default: false, env: 'T_YOLO', ephemeral: true, apply: 'live' } } } as any;
  const start = async (kernel: object) => {
    let config: any;
    const loaded = await loadTestKernel({ one: { manifest: { config: yolo }, register: (registry) => void (config = registry.config) } }, { kernel });
    return { ...loaded, config };
  };
  const fromFiles = await start({ preferences: { T_YOLO: '1' }, dotenv: { T_YOLO: '1' } });
  expect(fromFiles.config.on).toBe(false);
  expect(fromFiles.kernel.control.fields()).toMatchObject([{ isSet: false, value: false, source: 'default' }]);
  await fromFiles.kernel.control.setPreferences({ T_YOLO: '1' });
  expect(fromFiles.config.on).toBe(true);
  await fromFiles.close();
  const fromEnvironment = await start({ environment: { T_YOLO: '1' } });
  expect(fromEnvironment.config.on).toBe(true);
  await fromEnvironment.close();
});

test('a closed kernel starts nothing after settings, switches, further plugins or late entitlements', async () => {
  const listeners = new Set<() => void>();
  const entitlements = { has: () => true, onChange: (listener: () => void) => (listeners.add(listener), { dispose: () => listeners.delete(listener) }) };
  let registered = 0;
  const { kernel, close } = await loadTestKernel(
    { one: { manifest: { config: setting('T_VALUE') }, register: () => void registered++ } },
    { kernel: { services: { entitlements } as never } },
  );
  expect(listeners.size).toBe(1);
  const late = [...listeners];
  const closing = close();
  const after = [kernel.control.setPreferences({ T_VALUE: 'x' }), kernel.control.setDisabled(['two'])];
  expect(await closing).toEqual([]);
  await Promise.all(after);
  late.forEach((listener) => listener());
  await kernel.control.setDisabled([]);
  expect(registered).toBe(1);
  expect(kernel.trace()).toEqual([]);
  expect(listeners.size).toBe(0);
});

test('each entitlement source has one listener, which is removed when another source takes over', async () => {
  const held = { listeners: 0 };
  const source = {
    manifest: { provides: ['entitlements'], config: setting('T_VALUE') },
    register: (registry: any) =>
      void registry.provide('entitlements', () => ({ has: () => true, onChange: () => (held.listeners++, { dispose: () => void held.listeners-- }) })),
  };
  const { kernel, close } = await loadTestKernel({ source });
  for (const value of ['a', 'b', 'c']) await kernel.control.setPreferences({ T_VALUE: value });
  expect(held.listeners).toBe(1);
  await close();
  expect(held.listeners).toBe(0);
});

test('an entitlement source that fails later is logged without an unhandled rejection', async () => {
  let change = (): void => undefined;
  let isBroken = false;
  const has = (): boolean => {
    if (isBroken) throw new Error('no license file');
    return true;
  };
  const source = {
    manifest: { provides: ['entitlements'] },
    register: (registry: any) =>
      void registry.provide('entitlements', () => ({ has, onChange: (listener: () => void) => ((change = listener), { dispose: () => undefined }) })),
  };
  const { kernel, logs } = await loadTestKernel({ source, gated: { manifest: { entitlement: 'pro.sync' } } });
  isBroken = true;
  change();
  await kernel.control.setPreferences({}).catch(() => undefined);
  expect(logs.join()).toContain('apply entitlements: no license file');
  isBroken = false;
});
