// Tests that `register` must provide every declared service and that later changes of services reach their consumers.
import { expect, test, vi } from 'vitest';
import { loadTestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

const needs = (key: string, seen: string[] = [], name = ''): TestPlugin => ({
  manifest: { requires: [key] },
  register(registry) {
    seen.push(`${name} gets ${String(registry.services[key])}`);
    registry.defer(() => void seen.push(`${name} ends`));
  },
});

test.each<[string, string[], (registry: any) => unknown]>([
  ['none', ['x'], () => undefined],
  ['only one of two', ['w', 'x'], (registry) => void registry.provide('w', () => 1)],
  ['one that it disposes immediately', ['x'], (registry) => void registry.provide('x', () => 1).dispose()],
  ['one after register', ['x'], (registry) => void setImmediate(() => expect(() => registry.provide('x', () => 1)).toThrow('after it ended'))],
])('a plugin that declares services and provides %s fails by name, and its dependents are unmet', async (_, provides, register) => {
  const { report, state, reason, kernel } = await loadTestKernel({ a: { manifest: { provides }, register }, b: needs('x') });
  const why = "Plugin 'a' lists 'x' in manifest.provides, but its register() did not provide it.";
  expect(report.plugins.find(({ name }) => name === 'a')).toMatchObject({ state: 'failed', code: 'KRN_ERR_SERVICE_NOT_PROVIDED', reason: why });
  expect([state('b'), reason('b')]).toEqual(['unmet', expect.stringContaining("'x'")]);
  expect(kernel.trace().filter((label) => label.startsWith('service:'))).toEqual([]);
});

test('an early disposed service stops its dependents and restarts them when it is provided again', async () => {
  const seen: string[] = [];
  let registry: any;
  let provision: any;
  const { kernel, state, reason, close } = await loadTestKernel({
    maker: { manifest: { provides: ['x'] }, register: (own) => void (provision = (registry = own).provide('x', () => 'one')) },
    user: needs('x', seen, 'user'),
    hopeful: {
      manifest: { optional: ['x'] },
      register: ({ services }) => void seen.push(`hopeful gets ${String(services.x)}`),
    },
  });
  expect(seen.splice(0)).toEqual(['hopeful gets one', 'user gets one']);
  await provision.dispose();
  await kernel.control.idle();
  expect([state('maker'), state('user'), reason('user')]).toEqual(['active', 'unmet', "needs service 'x', which no plugin provides"]);
  expect(seen.splice(0)).toEqual(['user ends', 'hopeful gets undefined']);
  registry.provide('x', () => 'two');
  await kernel.control.idle();
  expect(state('user')).toBe('active');
  expect(seen.splice(0)).toEqual(['hopeful gets two', 'user gets two']);
  expect(await close()).toEqual([]);
});

test('a service replaced during register reaches later plugins once', async () => {
  const register = vi.fn((registry: any) => {
    void registry.provide('x', () => 'one').dispose();
    registry.provide('x', () => 'two');
  });
  const seen: string[] = [];
  const { kernel } = await loadTestKernel({ maker: { manifest: { provides: ['x'] }, register }, user: needs('x', seen, 'user') });
  await kernel.control.idle();
  expect(seen).toEqual(['user gets two']);
  expect(register).toHaveBeenCalledTimes(1);
});
