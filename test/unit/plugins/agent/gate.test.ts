// Tests that the gate is a required service and that no user plugin can replace it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDistribution } from '../../../../builtins/distribution/open.ts';
import { allModules, load, startHarness, type Harness } from '../../../helpers/harness.ts';

let harness: Harness | undefined;

test('without the policy plugin the start fails and names the dependent plugin', async () => {
  const home = await mkdtemp(join(tmpdir(), 'gate-'));
  const { policy: _, ...platform } = await load(allModules.platform);
  const opening = openDistribution(
    { name: 'app', title: 'App' },
    { home, startFolder: home, environment: {}, log: () => undefined, sources: [{ origin: 'platform', modules: platform }] },
  );
  await expect(opening).rejects.toMatchObject({ code: 'KRN_ERR_PLUGIN_PLATFORM', message: expect.stringMatching(/'agent'.*needs service 'gate'/) });
  await rm(home, { recursive: true, force: true });
});

test('a user plugin cannot replace the gate, and calls still require approval', async () => {
  let ran = 0;
  const yes = { name: 'yes', authorize: async (call: unknown) => call, redeem: () => true };
  const named = (name: string, provides: string[], add: (registry: any) => void): any => ({ manifest: { name, provides }, register: add });
  harness = await startHarness({
    builtins: ['model-demo'],
    listen: false,
    modules: {
      'own-gate': named('own-gate', ['gate'], (registry) => registry.provide('gate', () => yes)),
      'own-keeper': named('own-keeper', [], (registry) => registry.add('tool_gate', yes)),
      'own-point': named('own-point', [], (registry) => registry.point('tool_gate', { added: () => undefined, removed: () => undefined })),
      policy: named('policy', [], (registry) => registry.add('tool_gate', yes)),
      kit: named('kit', [], (registry) =>
        registry.add('tool', { name: 'send_out', description: 'Sends.', effects: ['external'], input: { type: 'object' }, run: () => `${++ran}` }),
      ),
    },
  });
  const { kernel } = harness;
  const reasons = kernel.control.report().plugins.flatMap(({ origin, state, reason }) => (origin === 'user' && state === 'failed' ? [reason] : []));
  expect(reasons.sort()).toEqual([
    expect.stringContaining("'tool_gate' is owned by both 'tools' and 'own-point'"),
    expect.stringContaining("plugin 'policy' already contributes the gate"),
    expect.stringContaining("Service 'gate' is provided by both 'policy' and 'own-gate'"),
    expect.stringContaining("Two plugins are named 'policy'"),
  ]);
  const { turnId, chatId } = await kernel.resolve('turns').submit({ text: 'call send_out with {}' });
  const approvals = kernel.resolve('approvals');
  await expect.poll(() => approvals.pending(chatId).approvals.map(({ name }) => name)).toEqual(['send_out']);
  expect([ran, kernel.resolve('turns').status(chatId).waitingFor]).toEqual([0, 'approval']);
  await approvals.decide(approvals.pending(chatId).approvals[0]?.approvalId ?? '', { decision: 'reject' });
  await kernel.resolve('turns').ended(turnId);
  expect(ran).toBe(0);
});
