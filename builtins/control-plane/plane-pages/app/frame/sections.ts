// The pages of the dashboard, in the order of the navigation, and who has them.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Icon } from '#page/kit/icon.ts';
import {
  Fingerprint,
  Gauge,
  MessagesSquare,
  NotebookText,
  Plug,
  ReceiptText,
  ScrollText,
  ShieldCheck,
  ServerCog,
  SlidersHorizontal,
  UserRound,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { isAtLeast, type Membership, type Role } from '../base/me.ts';

export interface Section {
  /** Its address is `#/<page>`. */
  readonly page: string;
  readonly title: string;
  readonly group: (typeof groups)[number];
  readonly Icon: Icon;
  readonly Page: ComponentType;
  /** Who may not even read it is not shown it. */
  readonly least?: Role;
  readonly entitlement?: string;
}

export const groups = ['', 'Shared', 'Rules', 'Control plane'] as const;

const sections: readonly Section[] = [
  { page: 'overview', title: 'Overview', group: '', Icon: Gauge, Page: lazyPart(async () => (await import('../sections/overview/overview.tsx')).Overview) },
  { page: 'members', title: 'Members', group: '', Icon: Users, Page: lazyPart(async () => (await import('../sections/members/members.tsx')).Members) },
  { page: 'plan', title: 'Plan and wallet', group: '', Icon: ReceiptText, Page: lazyPart(async () => (await import('../sections/plan/plan.tsx')).Plan) },
  { page: 'account', title: 'Your account', group: '', Icon: UserRound, Page: lazyPart(async () => (await import('../sections/account/account.tsx')).Account) },
  {
    page: 'notes',
    title: 'Notes',
    group: 'Shared',
    Icon: NotebookText,
    entitlement: 'team.shared_memory',
    Page: lazyPart(async () => (await import('../sections/notes/notes.tsx')).Notes),
  },
  {
    page: 'bus',
    title: 'Bus',
    group: 'Shared',
    Icon: MessagesSquare,
    entitlement: 'team.shared_memory',
    Page: lazyPart(async () => (await import('../sections/bus/bus.tsx')).Bus),
  },
  {
    page: 'policy',
    title: 'Policy',
    group: 'Rules',
    Icon: ShieldCheck,
    entitlement: 'team.policy_governance',
    Page: lazyPart(async () => (await import('../sections/rules/policy.tsx')).Policy),
  },
  {
    page: 'fleet',
    title: 'Fleet',
    group: 'Rules',
    Icon: SlidersHorizontal,
    entitlement: 'team.fleet_config',
    Page: lazyPart(async () => (await import('../sections/rules/fleet.tsx')).Fleet),
  },
  {
    page: 'audit',
    title: 'Audit',
    group: 'Rules',
    Icon: ScrollText,
    least: 'admin',
    entitlement: 'team.audit_log',
    Page: lazyPart(async () => (await import('../sections/audit/audit.tsx')).Audit),
  },
  {
    page: 'sso',
    title: 'Single sign-on',
    group: 'Rules',
    Icon: Fingerprint,
    least: 'admin',
    entitlement: 'enterprise.sso',
    Page: lazyPart(async () => (await import('../sections/sso/sso.tsx')).Sso),
  },
  {
    page: 'connectors',
    title: 'Connectors',
    group: 'Control plane',
    Icon: Plug,
    Page: lazyPart(async () => (await import('../sections/connectors/connectors.tsx')).Connectors),
  },
  {
    page: 'status',
    title: 'Status',
    group: 'Control plane',
    Icon: ServerCog,
    least: 'admin',
    entitlement: 'enterprise.self_host',
    Page: lazyPart(async () => (await import('../sections/self-host/self-host.tsx')).SelfHost),
  },
];

/** What this member may see. */
export function sectionsFor({ role, entitlements }: Membership): readonly Section[] {
  return sections.filter(({ least = 'viewer', entitlement }) => isAtLeast(role, least) && (entitlement === undefined || entitlements.has(entitlement)));
}
