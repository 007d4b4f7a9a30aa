// Lists the pages of the dashboard in navigation order, with the roles that may open them.
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Icon } from '#page/kit/icon.ts';
import {
  Building2,
  Fingerprint,
  Gauge,
  History,
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
import { isAtLeast, isOperator, roleTitles, type Membership, type Role } from '../base/me.ts';

export interface Section {
  /** Name of the page in its address `#/<page>`. */
  readonly page: string;
  readonly title: string;
  readonly group: (typeof groups)[number];
  readonly Icon: Icon;
  readonly Page: ComponentType;
  /** Lowest role that may see the page. */
  readonly least?: Role;
  readonly entitlement?: string;
  /** Whether only owners of the organisation that operates the control plane can open the page. */
  readonly isForOperator?: boolean;
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
    page: 'sessions',
    title: 'Your sessions',
    group: '',
    Icon: History,
    entitlement: 'pro.session_history',
    Page: lazyPart(async () => (await import('../sections/sessions/sessions.tsx')).Sessions),
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
    page: 'organisations',
    title: 'Organisations',
    group: 'Control plane',
    Icon: Building2,
    isForOperator: true,
    Page: lazyPart(async () => (await import('../sections/organisations/organisations.tsx')).Organisations),
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

/** Returns the pages that this member may see. */
export function sectionsFor(membership: Membership): readonly Section[] {
  return sections.filter((section) => whyNot(section, membership) === undefined);
}

/** Returns title and reason for a page that this member may not see; `undefined` for an unknown page. */
export function refusedSection(page: string, membership: Membership): { readonly title: string; readonly why: string } | undefined {
  const section = sections.find((one) => one.page === page);
  const why = section && whyNot(section, membership);
  return section && why !== undefined ? { title: section.title, why } : undefined;
}

function whyNot({ least = 'viewer', entitlement, isForOperator = false }: Section, membership: Membership): string | undefined {
  const { role, entitlements, org } = membership;
  if (isForOperator && !isOperator(membership)) return 'Only owners of the organisation that operates this control plane can open this page.';
  if (entitlement !== undefined && !entitlements.has(entitlement))
    return `The plan of ${org.name} does not include this page. The operator of this control plane sets the plan.`;
  if (!isAtLeast(role, least))
    return `This page requires the role ${roleTitles[least].toLowerCase()} or higher; your role is ${roleTitles[role].toLowerCase()}. Ask an admin of ${org.name} for access.`;
  return undefined;
}
