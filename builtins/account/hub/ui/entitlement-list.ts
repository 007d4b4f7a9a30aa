// Describes the entitlements that each tier of an account unlocks. Pure.
import { t, table } from '#page/kit/t.ts';

export type Tier = 'community' | 'pro' | 'team' | 'enterprise';

export const tierTitles: Readonly<Record<Tier, string>> = table({ community: 'Community', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' });

export interface Unlockable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly isUnlocked: boolean;
}

export interface TierOffer {
  readonly tier: Exclude<Tier, 'community'> | 'other';
  readonly title: string;
  readonly items: readonly Unlockable[];
}

const known = table([
  { id: 'pro.managed_inference', title: 'Managed inference', description: 'Models without a provider key of your own, paid from credits of the account.' },
  {
    id: 'pro.cloud_sync',
    title: 'Cloud sync',
    description: 'Notes follow you from machine to machine, and what two machines changed at once is kept.',
  },
  {
    id: 'pro.session_history',
    title: 'Session history',
    description: 'Chats are kept on the control plane, and can be searched and fetched from every machine.',
  },
  { id: 'team.shared_memory', title: 'Shared memory', description: 'Notes that the whole team reads and writes, and messages between its services.' },
  { id: 'team.audit_log', title: 'Audit log', description: 'What turns did and cost, told to the control plane, where admins read it.' },
  { id: 'team.rbac', title: 'Roles', description: 'Viewer, member, admin and owner, each with their rights.' },
  {
    id: 'team.fleet_config',
    title: 'Fleet configuration',
    description: 'Settings for every machine of the team from one place; each shows which are set there.',
  },
  { id: 'team.policy_governance', title: 'Policies', description: 'Tools that are blocked or always ask, models that may be used, and caps on spending.' },
  { id: 'enterprise.sso', title: 'Single sign-on', description: 'Signing in with the accounts of your organisation.' },
  { id: 'enterprise.self_host', title: 'Own control plane', description: 'How the servers that run the control plane are, told by an agent.' },
] as const);

/** Returns each tier with its additions to the previous tier; unknown entitlements come last. */
export function offersOf(entitlements: readonly string[]): TierOffer[] {
  const unlocked = new Set(entitlements);
  const items = known.map((one) => ({ ...one, isUnlocked: unlocked.has(one.id) }));
  const others = entitlements
    .filter((id) => !known.some((one) => one.id === id))
    .map((id) => ({ id, title: id, description: t('Unlocked by a plugin of yours.'), isUnlocked: true }));
  const tiers = (['pro', 'team', 'enterprise'] as const).map((tier) => ({
    tier,
    title: tierTitles[tier],
    items: items.filter(({ id }) => id.startsWith(`${tier}.`)),
  }));
  return others.length === 0 ? tiers : [...tiers, { tier: 'other', title: t('More'), items: others }];
}

export interface LicenseWords {
  readonly text: string;
  readonly tone: '' | 'good' | 'warn' | 'bad';
}

/** Describes the state of the license. */
export function licenseWords(status: string): LicenseWords {
  const words: Readonly<Record<string, LicenseWords>> = {
    community: { text: t('no license'), tone: '' },
    active: { text: t('active'), tone: 'good' },
    grace: { text: t('expired, still works for a while'), tone: 'warn' },
    expired: { text: t('expired'), tone: 'bad' },
    invalid: { text: t('not valid'), tone: 'bad' },
  };
  return words[status] ?? { text: status, tone: '' };
}
