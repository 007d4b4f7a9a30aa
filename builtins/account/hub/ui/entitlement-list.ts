// Describes the entitlements of each account tier. Pure.
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
  { id: 'pro.managed_inference', title: 'Managed inference', description: 'Models without your own provider key, paid with account credits.' },
  {
    id: 'pro.cloud_sync',
    title: 'Cloud sync',
    description: 'Notes are synchronised between your machines, and conflicting versions are stored.',
  },
  {
    id: 'pro.session_history',
    title: 'Session history',
    description: 'Chats are stored on the control plane and can be searched and read from every machine.',
  },
  { id: 'team.shared_memory', title: 'Shared memory', description: 'Notes that the whole team reads and writes, and messages between its services.' },
  { id: 'team.audit_log', title: 'Audit log', description: 'Metrics and costs of turns are reported to the control plane, where admins can read them.' },
  { id: 'team.rbac', title: 'Roles', description: 'Viewer, member, admin and owner, each with its permissions.' },
  {
    id: 'team.fleet_config',
    title: 'Fleet configuration',
    description: 'Settings for every machine of the team, managed in one place.',
  },
  { id: 'team.policy_governance', title: 'Policies', description: 'Blocked tools, mandatory approvals, allowed models and spending caps.' },
  { id: 'enterprise.sso', title: 'Single sign-on', description: 'Sign-in with the accounts of your organisation.' },
  { id: 'enterprise.self_host', title: 'Own control plane', description: 'Status of the control plane’s servers, reported by a tool.' },
] as const);

/** Returns each tier with the entitlements that it adds to the previous tier; unknown entitlements come last. */
export function offersOf(entitlements: readonly string[]): TierOffer[] {
  const unlocked = new Set(entitlements);
  const items = known.map((one) => ({ ...one, isUnlocked: unlocked.has(one.id) }));
  const others = entitlements
    .filter((id) => !known.some((one) => one.id === id))
    .map((id) => ({ id, title: id, description: t('Unlocked by one of your plugins.'), isUnlocked: true }));
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
    grace: { text: t('expired, in the grace period'), tone: 'warn' },
    expired: { text: t('expired'), tone: 'bad' },
    invalid: { text: t('not valid'), tone: 'bad' },
  };
  return words[status] ?? { text: status, tone: '' };
}
