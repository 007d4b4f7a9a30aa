import { expect, test } from 'vitest';
import { loadTestKernel } from '../helpers/test-kernel.ts';

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

test('a gated plugin loads and unloads with its entitlement, those who use it follow, and each change is told', async () => {
  const held = new Set<string>();
  const { change, plugin } = source(held);
  const { kernel, state, reason, close } = await loadTestKernel({
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
  await kernel.control.setDisabled([]); // waits for its turn in the kernel's queue
  expect([state('gated'), state('user')]).toEqual(['active', 'active']);
  expect(kernel.trace()).toContain('thing:panel@user');

  change([]);
  await kernel.control.setDisabled([]);
  expect([state('gated'), state('user')]).toEqual(['locked', 'unmet']);
  expect(kernel.trace()).toEqual(before);
  expect(changes.sort()).toEqual(['gated active', 'gated locked', 'user active', 'user unmet']);
  await close();
});

test('what is held at the start is loaded at the start', async () => {
  const { state, close } = await loadTestKernel({ 'license-source': source(new Set(['pro.sync'])).plugin, gated: { manifest: { entitlement: 'pro.sync' } } });
  expect(state('gated')).toBe('active');
  await close();
});
