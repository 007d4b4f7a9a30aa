// Serves `GET /api/team/policy`: returns the rules that apply on this machine, for display.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { OrgPolicy } from './org-policy.ts';

const placed = { from: Type.String({ description: '`everybody`, or the name of a group.' }) };
const patterns = Type.Array(Type.Object({ ...placed, pattern: Type.String() }));
const reply = Type.Object({
  state: oneOf(['waiting', 'held', 'none'], { description: '`waiting`: policy not known yet, so only read-only tools can run. `none`: no rules apply.' }),
  revision: Type.Optional(Type.Integer()),
  orgName: Type.Optional(Type.String()),
  checkedAt: Type.Optional(Type.String({ description: 'Time at which the control plane last confirmed the revision as the newest.' })),
  problem: Type.Optional(Type.String({ description: 'Reason why the last request failed or its response was refused.' })),
  rules: Type.Object({
    blockedTools: patterns,
    forcedApprovals: patterns,
    allowedModels: Type.Array(Type.Object({ ...placed, patterns: Type.Array(Type.String()) })),
    spendingCaps: Type.Array(Type.Object({ ...placed, of: Type.String(), usd: Type.Number() })),
  }),
});

export function policyRoute(policy: OrgPolicy): Route<{ reply: typeof reply }> {
  return {
    key: 'GET /api/team/policy',
    summary: 'Returns the policy of the organisation that applies on this machine.',
    tag: 'account',
    permission: 'settings.read',
    schema: { reply },
    handle: () => ({ ...policy.state, rules: policy.rules as never }),
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/team/policy': { reply: typeof reply };
  }
}
