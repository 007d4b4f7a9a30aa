// Registers the enforcement of an organisation's policy: refuses calls, requires approvals and limits spending, regardless of the user's settings.
import type { Disposable, Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/team-documents';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/models';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/tools';
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { createOrgPolicy } from './org-policy.ts';
import { policyRoute } from './policy-route.ts';
import { spendingCapsOf } from './spending-caps.ts';
import { publishTool } from './publish-tool.ts';

export const manifest = {
  name: 'team-policy',
  entitlement: 'team.policy_governance',
  fixed: true,
  requires: ['teamDocuments'],
  errors: {
    MODEL_BLOCKED: { message: "The model '{model}' is not allowed: {source} allows {allowed}. Choose another model.", status: 403 },
  },
} as const satisfies PluginManifest;

/** Maximum time, in milliseconds, that the first start waits for the policy; afterwards only read-only tools can run until it arrives. */
const firstStartMs = 5_000;
/** Maximum time, in milliseconds, that a start waits for the saved policy; requests that need its rules wait longer. */
const readingMs = 2_000;

const disposeOf = (held: Disposable): void | Promise<void> => held.dispose();

export async function register(registry: Registry<typeof manifest>, emitter: Emitter): Promise<void> {
  const policy = createOrgPolicy(firstStartMs);
  registry.add('approval_rule', { name: 'org-policy', decide: (call) => policy.decide(call) });
  emitter.tap('message.before', () => policy.settled());
  emitter.tap('model.before', ({ model }) => {
    const refusal = policy.refuseModel(model);
    return refusal && registry.error('MODEL_BLOCKED', { model, ...refusal });
  });
  // Runs after the taps that add tools.
  emitter.tap('model.request', (request) => policy.offer(request), { order: 'post' });
  registry.add('route', policyRoute(policy));
  registry.add('tool_family', publishTool(registry.services.teamDocuments));

  let caps: readonly Disposable[] = [];
  const holding = registry.services.teamDocuments.hold({
    kind: 'policy',
    path: '/api/team/policy',
    take(claims, state) {
      policy.take(claims, state);
      for (const cap of caps) void cap.dispose();
      caps = spendingCapsOf(policy).map((cap) => registry.add('spending_cap', cap));
    },
  });
  registry.defer(() => holding.then(disposeOf, () => undefined), 'policy');
  const following = holding.then(
    (held) => policy.follow(held),
    (fault: unknown) => policy.follow({ state: { state: 'waiting', problem: messageOf(fault) }, settled: () => Promise.resolve() }),
  );
  await withLimit(following, readingMs, () => undefined);
}
