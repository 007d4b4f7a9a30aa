// A fault at a contribution point belongs to the plugin whose code it is, with the point, the step and the other plugin by name.
import { expect, test } from 'vitest';
import { loadTestKernel, type TestPlugin } from '../../helpers/test-kernel.ts';

type Step = 'added' | 'removed';
const breaking = (step: Step, fault: (item: any) => unknown, seen: string[] = []): TestPlugin => ({
  register(registry) {
    const take =
      (now: Step) =>
      (item: any): unknown => {
        seen.push(`${now} ${String(item.name)}`);
        return now === step ? fault(item) : undefined;
      };
    registry.point('thing', { added: take('added'), removed: take('removed') });
  },
});
const throwing = (): never => {
  throw new Error('owner bug');
};
const adds = (...names: string[]): TestPlugin => ({ register: (registry) => names.forEach((name) => registry.add('thing', { name })) });
const text = (step: Step, contributor: string): string =>
  `Plugin 'owner' failed in ${step}() of its contribution point 'thing' for an item of plugin '${contributor}': owner bug`;

test.each<[string, Record<string, TestPlugin>]>([
  ['direct', { owner: breaking('added', throwing), x: adds('one') }],
  ['waiting', { 'a-x': adds('one'), owner: breaking('added', throwing) }],
  ['late', { owner: breaking('added', () => Promise.reject(new Error('owner bug'))), x: adds('one') }],
])('an owner that fails with a %s item is blamed, and its contributor runs', async (_, plugins) => {
  const { kernel, errors, logs, close } = await loadTestKernel(plugins);
  await new Promise(setImmediate);
  const [contributor = ''] = Object.keys(plugins).filter((name) => name !== 'owner');
  const rows = kernel.control.report().plugins;
  expect(rows.map(({ state }) => state)).toEqual(['active', 'active']);
  const message = text('added', contributor);
  expect(errors).toEqual([{ source: 'plugin', plugin: 'owner', code: 'KRN_ERR_POINT_FAULT', message }]);
  expect(logs).toContain(`error owner: ${message}`);
  expect(rows.find(({ name }) => name === 'owner')?.warnings).toEqual([message]);
  expect(rows.find(({ name }) => name === contributor)?.warnings).toEqual([]);
  await close();
});

test('an owner gets back each item when it unloads, also after one at which it failed', async () => {
  const seen: string[] = [];
  const { kernel, errors, close } = await loadTestKernel({
    owner: breaking('removed', (item) => item.name === 'one' && throwing(), seen),
    x: adds('one', 'two', 'three'),
  });
  seen.length = 0;
  await kernel.control.setDisabled(['owner']);
  expect(seen).toEqual(['removed one', 'removed two', 'removed three']);
  expect(errors.map(({ plugin, message }) => [plugin, message])).toEqual([['owner', text('removed', 'x')]]);
  expect(await close()).toEqual([]);
});

test('an item that its owner fails to let go is the fault of the owner, not of the plugin that unloads', async () => {
  const { kernel, errors, close } = await loadTestKernel({ owner: breaking('removed', throwing), x: adds('one') });
  await kernel.control.setDisabled(['x']);
  expect(errors).toMatchObject([{ plugin: 'owner', code: 'KRN_ERR_POINT_FAULT', message: text('removed', 'x') }]);
  expect(await close()).toEqual([]);
});

test('an item at which the owner failed is not given back to it', async () => {
  const seen: string[] = [];
  const { kernel, close } = await loadTestKernel({ owner: breaking('added', throwing, seen), x: adds('one') });
  await kernel.control.setDisabled(['x']);
  expect(seen).toEqual(['added one']);
  await close();
});

test('what validate refuses, by a sentence or a throw, is the fault of the contributor', async () => {
  const refuses = (validate: () => unknown): TestPlugin => ({
    register: (own) => void own.point('thing', { validate, added: () => undefined, removed: () => undefined }),
  });
  for (const validate of [() => 'owner bug', throwing]) {
    const { state, reason, close } = await loadTestKernel({ owner: refuses(validate), x: adds('one') });
    expect([state('owner'), state('x'), reason('x')]).toEqual(['active', 'failed', "Plugin 'x' cannot add to 'thing': owner bug"]);
    await close();
  }
});
