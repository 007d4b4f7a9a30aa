import { expect, test } from 'vitest';
import type { Kernel } from 'agent-harness/kernel';
import { createRequiredPolicyCheck } from '../../../../plugins/policy/required-policy-check.ts';
import { loadTestKernel, toModules } from '../../../helpers/test-kernel.ts';

const counting = ({ control, emitter }: Kernel) => {
  const counts = { reports: 0 };
  const kernel = { stateOf: control.stateOf, report: () => (counts.reports++, control.report()) };
  return { notHeld: createRequiredPolicyCheck(kernel, emitter), counts };
};

test('each decision reads plugin states, and rebuilds the report only after a change', async () => {
  const { kernel } = await loadTestKernel({ rules: { manifest: { fixed: true, optional: ['x'] } } });
  const { notHeld, counts } = counting(kernel);
  for (let decision = 0; decision < 50; decision++) expect(notHeld()).toBeUndefined();
  expect(counts.reports).toBe(1);
  await kernel.plugins.load({ sources: [{ origin: 'builtin', modules: toModules({ more: { manifest: { fixed: true, requires: ['moon'] } } }) }] });
  for (let decision = 0; decision < 50; decision++) expect(notHeld()).toBe('more');
  expect(counts.reports).toBe(2);
});

test('a fixed plugin that fails on reload is reported immediately, a locked or third-party one is not', async () => {
  let isBroken = false;
  const register = (): void => {
    if (isBroken) throw new Error('no rules');
  };
  const { kernel } = await loadTestKernel(
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
});
