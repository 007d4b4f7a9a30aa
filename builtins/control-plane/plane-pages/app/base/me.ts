// Provides the signed-in user and the user's membership in an organisation.
import { createContext, use } from 'react';
import type { ReplyOf } from './plane.ts';

export type Me = ReplyOf<'GET /api/account/me'>;
export type Role = 'viewer' | 'member' | 'admin' | 'owner';
export type Tier = 'community' | 'pro' | 'team' | 'enterprise';

export const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];
export const roleTitles: Readonly<Record<Role, string>> = { viewer: 'Viewer', member: 'Member', admin: 'Admin', owner: 'Owner' };
export const roleHints: Readonly<Record<Role, string>> = {
  viewer: 'Can read shared notes and messages.',
  member: 'Can read and write shared notes and messages.',
  admin: 'Has the rights of a member, and manages people, policy and fleet.',
  owner: 'Has the rights of an admin, and manages owners, single sign-on and connectors.',
};
export const tierTitles: Readonly<Record<Tier, string>> = { community: 'Community', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' };

export interface Membership {
  readonly me: Me;
  readonly org: NonNullable<Me['organisation']>;
  readonly orgId: string;
  readonly role: Role;
  readonly entitlements: ReadonlySet<string>;
  reload(): void;
}

export const MembershipContext = createContext<Membership | undefined>(undefined);

export function useMembership(): Membership {
  const membership = use(MembershipContext);
  if (!membership) throw new Error('useMembership requires a MembershipContext above the component');
  return membership;
}

/** Returns `undefined` for a user without an organisation. */
export function membershipOf(me: Me, reload: () => void): Membership | undefined {
  const { organisation: org } = me;
  return org ? { me, org, orgId: org.id, role: org.role, entitlements: new Set(org.entitlements), reload } : undefined;
}

/** Returns whether the user is an owner of the organisation that operates the control plane. */
export const isOperator = ({ org, role }: Pick<Membership, 'org' | 'role'>): boolean => org.operates && role === 'owner';

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
