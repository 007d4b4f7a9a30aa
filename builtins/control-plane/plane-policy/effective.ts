// Derives the rules that a policy sets for one person. Pure.
import type { EffectivePolicy, Policy, PolicyGroup, PolicyRules } from './contract.ts';

export interface Subject {
  readonly email: string;
  readonly role: string;
}

const everybody = 'everybody';

/** Returns the rules that apply to one member. */
export function effectivePolicy(policy: Policy, subject: Subject): EffectivePolicy {
  const parts: readonly (readonly [from: string, rules: PolicyRules])[] = [
    [everybody, policy],
    ...(policy.groups ?? []).filter((group) => isIn(group, subject)).map((group) => [group.name, group] as const),
  ];
  return {
    blockedTools: parts.flatMap(([from, { blockedTools = [] }]) => blockedTools.map((pattern) => ({ pattern, from }))),
    forcedApprovals: parts.flatMap(([from, { forcedApprovals = [] }]) => forcedApprovals.map((pattern) => ({ pattern, from }))),
    allowedModels: parts.flatMap(([from, { allowedModels }]) => (allowedModels ? [{ patterns: allowedModels, from }] : [])),
    spendingCaps: lowest(parts.flatMap(([from, { spendingCaps }]) => capsOf(spendingCaps).map((cap) => ({ ...cap, from })))),
  };
}

function isIn({ match: { roles, people } }: PolicyGroup, { email, role }: Subject): boolean {
  const isOneOf = (list: readonly string[] | undefined, text: string): boolean =>
    list === undefined || list.some((one) => one.toLowerCase() === text.toLowerCase());
  return isOneOf(roles, role) && isOneOf(people, email);
}

type Cap = EffectivePolicy['spendingCaps'][number];

function capsOf({ perDay, perChat, purposes = {} }: NonNullable<PolicyRules['spendingCaps']> = {}): Omit<Cap, 'from'>[] {
  return [
    ...(perDay === undefined ? [] : [{ of: 'day' as const, usd: perDay }]),
    ...(perChat === undefined ? [] : [{ of: 'each_chat' as const, usd: perChat }]),
    ...Object.entries(purposes).map(([of, usd]) => ({ of: of as Cap['of'], usd })),
  ];
}

function lowest(caps: readonly Cap[]): Cap[] {
  const found = new Map<string, Cap>();
  for (const cap of caps) {
    const known = found.get(cap.of);
    if (!known || cap.usd < known.usd) found.set(cap.of, cap);
  }
  return [...found.values()];
}
