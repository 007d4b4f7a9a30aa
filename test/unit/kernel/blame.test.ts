// Tests that a fault at a contribution point is attributed to the right plugin, with the point, the step and the other plugin named.
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
])('blames a point owner that fails with a %s item, and keeps the contributor active', async (_, plugins) => {
  const { kernel, errors, logs } = await loadTestKernel(plugins);
  await new Promise(setImmediate);
  const [contributor = ''] = Object.keys(plugins).filter((name) => name !== 'owner');
  const rows = kernel.control.report().plugins;
  expect(rows.map(({ state }) => state)).toEqual(['active', 'active']);
  const message = text('added', contributor);
  expect(errors).toEqual([{ source: 'plugin', plugin: 'owner', code: 'KRN_ERR_POINT_FAULT', message }]);
  expect(logs).toContain(`error owner: ${message}`);
  expect(rows.find(({ name }) => name === 'owner')?.warnings).toEqual([message]);
  expect(rows.find(({ name }) => name === contributor)?.warnings).toEqual([]);
});

test('an unloading owner receives `removed` for each item, even after one of them fails', async () => {
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

test('a failing `removed` is blamed on the point owner, not on the unloading contributor', async () => {
  const { kernel, errors, close } = await loadTestKernel({ owner: breaking('removed', throwing), x: adds('one') });
  await kernel.control.setDisabled(['x']);
  expect(errors).toMatchObject([{ plugin: 'owner', code: 'KRN_ERR_POINT_FAULT', message: text('removed', 'x') }]);
  expect(await close()).toEqual([]);
});

test('does not call `removed` for an item whose `added` failed', async () => {
  const seen: string[] = [];
  const { kernel } = await loadTestKernel({ owner: breaking('added', throwing, seen), x: adds('one') });
  await kernel.control.setDisabled(['x']);
  expect(seen).toEqual(['added one']);
});

test('an item rejected by validate, by message or exception, is blamed on the contributor', async () => {
  const refuses = (validate: () => unknown): TestPlugin => ({
    register: (own) => void own.point('thing', { validate, added: () => undefined, removed: () => undefined }),
  });
  for (const validate of [() => 'owner bug', throwing]) {
    const { state, reason, close } = await loadTestKernel({ owner: refuses(validate), x: adds('one') });
    expect([state('owner'), state('x'), reason('x')]).toEqual(['active', 'failed', "Plugin 'x' cannot add to 'thing': owner bug"]);
    await close();
  }
});
