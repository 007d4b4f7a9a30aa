import { expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

function source(held: Set<string>) {
  const listeners = new Set<() => void>();
  return {
    change: (next: string[]) => {
      held.clear();
      next.forEach((key) => held.add(key));
      listeners.forEach((listener) => listener());
    },
    plugin: {
      manifest: { provides: ['entitlements'] },
      register: (registry: any) =>
        void registry.provide('entitlements', () => ({
          has: (key: string) => held.has(key),
          onChange: (listener: () => void) => (listeners.add(listener), { dispose: () => listeners.delete(listener) }),
        })),
    },
  };
}

test('a gated plugin and its dependents load and unload with the entitlement, and each change is emitted', async () => {
  const held = new Set<string>();
  const { change, plugin } = source(held);
  const { kernel, state, reason } = await loadTestKernel({
    'license-source': plugin,
    gated: { manifest: { entitlement: 'pro.sync', provides: ['sync'] }, register: (registry) => void registry.provide('sync', () => 1) },
    user: { manifest: { requires: ['sync'] }, register: (registry) => void registry.add('thing', { name: 'panel' }) },
    open: {},
  });
  expect([state('gated'), state('user'), state('open')]).toEqual(['locked', 'unmet', 'active']);
  expect(reason('gated')).toBe("needs the entitlement 'pro.sync'");
  const changes: string[] = [];
  kernel.emitter.on('plugin_changed', ({ name, state: now }) => changes.push(`${name} ${now}`));
  const before = kernel.trace();

  change(['pro.sync']);
  await kernel.control.setDisabled([]); // waits for its turn in the kernel queue
  expect([state('gated'), state('user')]).toEqual(['active', 'active']);
  expect(kernel.trace()).toContain('thing:panel@user');

  change([]);
  await kernel.control.setDisabled([]);
  expect([state('gated'), state('user')]).toEqual(['locked', 'unmet']);
  expect(kernel.trace()).toEqual(before);
  expect(changes.sort()).toEqual(['gated active', 'gated locked', 'user active', 'user unmet']);
});

test('a plugin with an initial entitlement loads at the start', async () => {
  const { state } = await loadTestKernel({ 'license-source': source(new Set(['pro.sync'])).plugin, gated: { manifest: { entitlement: 'pro.sync' } } });
  expect(state('gated')).toBe('active');
});

test('a plugin registers before kernel_ready if its entitlement resolves during the start', async () => {
  const held = new Set<string>();
  const order: string[] = [];
  const { state } = await loadTestKernel({
    'license-source': {
      manifest: { provides: ['entitlements'] },
      register: (registry) =>
        void registry.provide('entitlements', () => ({
          has: (key: string) => held.has(key),
          ready: async () => {
            await new Promise((resolve) => setImmediate(resolve));
            held.add('pro.sync');
          },
          onChange: () => ({ dispose: () => undefined }),
        })),
    },
    gated: { manifest: { entitlement: 'pro.sync' }, register: () => void order.push('gated') },
    watcher: { register: (_, emitter) => emitter.on('kernel_ready', () => order.push('ready')) },
  });
  expect([state('gated'), order]).toEqual(['active', ['gated', 'ready']]);
});

test('a fixed plugin cannot be disabled unless it is third-party or not entitled', async () => {
  const held = new Set(['pro.sync']);
  const { change, plugin } = source(held);
  const gated = { manifest: { entitlement: 'pro.sync', fixed: true as const } };
  const plugins = { 'license-source': plugin, gated, other: {} };
  const own = { manifest: { name: 'own', fixed: true }, register: () => undefined } as unknown as PluginModule<never>;
  const outside = { origin: 'user' as const, modules: { own } };
  const { kernel, state } = await loadTestKernel(plugins, { disabled: ['gated', 'other', 'own'], sources: [outside] });
  expect([state('gated'), state('other'), state('own')]).toEqual(['active', 'disabled', 'disabled']);
  const row = kernel.control.report().plugins.find(({ name }) => name === 'gated');
  expect([row?.isFixed, row?.warnings]).toEqual([true, ["'gated' is fixed by the product and cannot be switched off."]]);
  change([]);
  await kernel.control.idle();
  expect(state('gated')).toBe('locked');
});
