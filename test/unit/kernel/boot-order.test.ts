import { expect, test } from 'vitest';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

const noting = (seen: string[], name: string) => ({ register: () => void seen.push(name) });

test('providers register before their required and optional consumers, with ties in name order', async () => {
  const seen: string[] = [];
  await loadTestKernel({
    b: noting(seen, 'b'),
    a: { manifest: { requires: ['z-service'] }, ...noting(seen, 'a') },
    c: { manifest: { optional: ['z-service', 'never-there'] }, ...noting(seen, 'c') },
    z: { manifest: { provides: ['z-service'] }, register: (registry) => (seen.push('z'), void registry.provide('z-service', () => 1)) },
  });
  expect(seen).toEqual(['z', 'a', 'b', 'c']);
});

test('plugins register by origin: platform, built-in, bundle, user', async () => {
  const seen: string[] = [];
  const source = (origin: any, name: string) => ({ origin, modules: { [name]: noting(seen, name) } }) as any;
  await loadTestKernel({}, { sources: [source('user', 'a'), source('bundle', 'b'), source('platform', 'z')] });
  expect(seen).toEqual(['z', 'b', 'a']);
});

test('a plugin with a missing service is unmet, and its reason names the whole dependency chain', async () => {
  const { reason, state, report, errors } = await loadTestKernel({
    'vault-sync': { manifest: { provides: ['vault'], entitlement: 'pro.vault' } },
    middle: { manifest: { requires: ['vault'], provides: ['middle-service'] } },
    zed: { manifest: { requires: ['middle-service'] } },
    lonely: { manifest: { requires: ['nowhere'] } },
  });
  expect(state('vault-sync')).toBe('locked');
  expect(reason('middle')).toBe("needs service 'vault', provided by locked plugin 'vault-sync' (needs the entitlement 'pro.vault')");
  expect(reason('zed')).toContain("provided by unmet plugin 'middle' (needs service 'vault'");
  expect(reason('lonely')).toBe("needs service 'nowhere', which no plugin provides");
  expect(report.plugins).toHaveLength(4);
  expect(errors).toEqual([]);
});

test('a platform plugin cannot be disabled and reports a warning', async () => {
  const { state, report, kernel } = await loadTestKernel({ one: {} }, { origin: 'platform', disabled: ['one'] });
  expect(state('one')).toBe('active');
  expect(report.warnings).toEqual(["'one' is part of the platform and cannot be switched off."]);
  await kernel.control.setDisabled(['one']);
  expect(state('one')).toBe('active');
  expect(kernel.control.report().plugins).toMatchObject([{ name: 'one', warnings: [expect.stringContaining('cannot be switched off')] }]);
});

test('a disabled plugin does not register, and its dependents report the reason', async () => {
  const { state, reason, kernel } = await loadTestKernel(
    { one: { manifest: { provides: ['one'] }, register: (registry) => void registry.provide('one', () => 1) }, two: { manifest: { requires: ['one'] } } },
    { disabled: ['one'] },
  );
  expect([state('one'), state('two')]).toEqual(['disabled', 'unmet']);
  expect(reason('two')).toContain("provided by disabled plugin 'one'");
  await kernel.control.setDisabled([]);
  expect([state('one'), state('two')]).toEqual(['active', 'active']);
});
