import { expect, test } from 'vitest';
import { createKernel, loadPlugins } from 'agent-harness/kernel';

test('an empty kernel loads a plugin and leaves nothing behind', async () => {
  const kernel = createKernel();
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [{ origin: 'builtin', modules: { one: { register: (registry) => void registry.defer(() => undefined) } } }],
  });
  expect(report.plugins).toMatchObject([{ name: 'one', state: 'active' }]);
  expect(await kernel.close()).toEqual([]);
  expect(kernel.trace()).toEqual([]);
});
