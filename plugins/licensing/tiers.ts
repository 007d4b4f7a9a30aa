// Defines the license tiers and the entitlements of each tier. Pure.
import type { Tier } from './contract.ts';

/** The entitlements that each tier adds to the one below it, from lowest to highest. */
const additions: readonly (readonly [Tier, readonly string[]])[] = [
  ['community', []],
  ['pro', ['pro.cloud_sync', 'pro.session_history', 'pro.managed_inference']],
  ['team', ['team.shared_memory', 'team.audit_log', 'team.rbac', 'team.fleet_config', 'team.policy_governance']],
  ['enterprise', ['enterprise.sso', 'enterprise.self_host']],
];

export function isTier(value: unknown): value is Tier {
  return additions.some(([tier]) => tier === value);
}

export function lesserTier(one: Tier, other: Tier): Tier {
  return rankOf(one) <= rankOf(other) ? one : other;
}

function rankOf(tier: Tier): number {
  return additions.findIndex(([name]) => name === tier);
}

/** Returns the sorted entitlements of a tier, including those of lower tiers and the extras of the license. */
export function entitlementsOf(tier: Tier, extras: readonly string[] = []): string[] {
  const inherited = additions.slice(0, rankOf(tier) + 1).flatMap(([, keys]) => keys);
  return [...new Set([...inherited, ...extras])].sort();
}
