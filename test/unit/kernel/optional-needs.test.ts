// Tests optional needs: they order plugins where possible and never keep one from running.
import { expect, test } from 'vitest';
import { planOrder, type PlanInput } from '../../../kernel/plan.ts';
import { loadTestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

type Needs = { readonly provides?: string[]; readonly requires?: string[]; readonly optional?: string[] };

const plugin = (needs: Needs, seen: string[] = [], name = ''): TestPlugin => ({
  manifest: needs,
  register(registry) {
    seen.push(name);
    for (const key of needs.provides ?? []) registry.provide(key, () => key);
  },
});

test.each<[string, Record<string, Needs>]>([
  ['two plugins with optional needs for each other', { a: { provides: ['x'], optional: ['y'] }, b: { provides: ['y'], optional: ['x'] } }],
  ['a required need in one direction, an optional one back', { a: { provides: ['x'], optional: ['y'] }, b: { provides: ['y'], requires: ['x'] } }],
  [
    'three plugins with one optional need',
    { a: { provides: ['x'], requires: ['z'] }, b: { provides: ['y'], optional: ['x'] }, c: { provides: ['z'], requires: ['y'] } },
  ],
  [
    'two cycles that share a plugin',
    { a: { provides: ['x'], optional: ['y', 'z'] }, b: { provides: ['y'], optional: ['x'] }, c: { provides: ['z'], requires: ['x', 'y'] } },
  ],
  [
    'a plugin that lists a service twice and its own service',
    { a: { provides: ['x'], requires: ['y'], optional: ['y', 'x'] }, b: { provides: ['y'], optional: ['x'] } },
  ],
])('a dependency cycle with an optional need starts: %s', async (_, needs) => {
  const seen: string[] = [];
  const { report, kernel, close } = await loadTestKernel(Object.fromEntries(Object.entries(needs).map(([name, one]) => [name, plugin(one, seen, name)])));
  expect(report.plugins.map(({ name, state, reason }) => [name, state, reason])).toEqual(report.plugins.map(({ name }) => [name, 'active', undefined]));
  for (const [name, { requires = [] }] of Object.entries(needs)) {
    for (const key of requires) {
      const [provider = ''] = Object.entries(needs).find(([, one]) => one.provides?.includes(key)) ?? [];
      expect(seen.indexOf(provider)).toBeLessThan(seen.indexOf(name));
    }
  }
  // A need that does not affect the order does not cause a restart.
  const before = [...seen];
  await kernel.control.setDisabled([]);
  await kernel.control.setPreferences({});
  expect(seen).toEqual(before);
  expect(await close()).toEqual([]);
});

test('a plugin that requires its own service fails with a cycle error', async () => {
  const { report } = await loadTestKernel({ a: plugin({ provides: ['x'], requires: ['x'] }) });
  expect(report.plugins[0]).toMatchObject({ state: 'failed', code: 'KRN_ERR_PLUGIN_CYCLE', reason: expect.stringContaining('a → a') });
});

test('a cycle of required needs fails, and a plugin with an optional need on it stays active', async () => {
  const { report } = await loadTestKernel({
    a: plugin({ provides: ['x'], requires: ['y'] }),
    b: plugin({ provides: ['y'], requires: ['x'] }),
    c: plugin({ provides: ['z'], optional: ['x'] }),
  });
  expect(report.plugins.map(({ name, state, code }) => [name, state, code]).sort()).toEqual([
    ['a', 'failed', 'KRN_ERR_PLUGIN_CYCLE'],
    ['b', 'failed', 'KRN_ERR_PLUGIN_CYCLE'],
    ['c', 'active', undefined],
  ]);
});

test('a cycle drops the optional need of the plugin with the lowest precedence', () => {
  const input = (name: string, { provides = [], requires = [], optional = [] }: Needs): PlanInput => ({ name, provides, requires, optional });
  const builtin = [input('a', { provides: ['x'], optional: ['y'] }), input('b', { provides: ['y'] })];
  const user = input('u', { provides: ['z'], optional: ['x'] });
  const tied = [{ ...builtin[0], optional: ['y', 'z'] } as PlanInput, builtin[1] as PlanInput, user];
  expect(planOrder(tied, new Set()).order).toEqual(['b', 'u', 'a']);
  expect([...planOrder(tied, new Set()).dropped]).toEqual([['u', new Set(['x'])]]);
});
