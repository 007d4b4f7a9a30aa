// Tiers and what each of them unlocks. Pure.
import type { Tier } from './contract.ts';

/** What a tier adds to the one below it, from the lowest to the highest. */
const additions: readonly (readonly [Tier, readonly string[]])[] = [
  ['community', []],
  ['pro', ['pro.cloud_sync', 'pro.session_history', 'pro.managed_inference']],
  ['team', ['team.shared_memory', 'team.audit_log', 'team.rbac', 'team.fleet_config', 'team.policy_governance']],
  ['enterprise', ['enterprise.sso', 'enterprise.self_host']],
];

export function isTier(value: unknown): value is Tier {
  return additions.some(([tier]) => tier === value);
}

/** The one that unlocks less. */
export function lesserTier(one: Tier, other: Tier): Tier {
  return rankOf(one) <= rankOf(other) ? one : other;
}

function rankOf(tier: Tier): number {
  return additions.findIndex(([name]) => name === tier);
}

/** The tier's own entitlements, those of the tiers below, and the extras that the license names; sorted. */
export function entitlementsOf(tier: Tier, extras: readonly string[] = []): string[] {
  const inherited = additions.slice(0, rankOf(tier) + 1).flatMap(([, keys]) => keys);
  return [...new Set([...inherited, ...extras])].sort();
}
