import { expect, test } from 'vitest';
import type { Kernel } from 'agent-harness/kernel';
import { createMissingPolicyPlugin } from '../../../../plugins/policy/missing-policy-plugin.ts';
import { loadTestKernel, toModules } from '../../../helpers/test-kernel.ts';

const counting = ({ control, emitter }: Kernel) => {
  const counts = { reports: 0 };
  const kernel = { stateOf: control.stateOf, report: () => (counts.reports++, control.report()) };
  return { notHeld: createMissingPolicyPlugin(kernel, emitter), counts };
};

test('decisions read states, and the report once after each change', async () => {
  const { kernel, close } = await loadTestKernel({ rules: { manifest: { fixed: true, optional: ['x'] } } });
  const { notHeld, counts } = counting(kernel);
  for (let decision = 0; decision < 50; decision++) expect(notHeld()).toBeUndefined();
  expect(counts.reports).toBe(1);
  await kernel.plugins.load({ sources: [{ origin: 'builtin', modules: toModules({ more: { manifest: { fixed: true, requires: ['moon'] } } }) }] });
  for (let decision = 0; decision < 50; decision++) expect(notHeld()).toBe('more');
  expect(counts.reports).toBe(2);
  await close();
});

test('a fixed plugin that fails when it registers again is named at once; one that is locked or third-party is not', async () => {
  let isBroken = false;
  const register = (): void => {
    if (isBroken) throw new Error('no rules');
  };
  const { kernel, close } = await loadTestKernel(
    {
      rules: { manifest: { fixed: true, config: { type: 'object', properties: { depth: { type: 'string', env: 'DEPTH' } } } as never }, register },
      locked: { manifest: { fixed: true, entitlement: 'a.b' } },
    },
    { sources: [{ origin: 'user', modules: toModules({ other: { manifest: { fixed: true, requires: ['moon'] } } }) }] },
  );
  const { notHeld } = counting(kernel);
  expect(notHeld()).toBeUndefined();
  isBroken = true;
  await kernel.control.setPreferences({ DEPTH: '1' });
  expect(notHeld()).toBe('rules');
  await close();
});
