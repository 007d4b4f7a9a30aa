// Defines the contract of the rules that an organisation sets for its members' services: policy and fleet configuration.
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import type { Role } from 'agent-harness/plugins/http';

/** Kinds of model calls that can have their own spending cap. */
export type CappedPurpose = 'chat' | 'task' | 'memory' | 'heartbeat' | 'dream' | 'voice';

/** In names and models, `*` matches any text. */
export interface PolicyRules {
  /** Names of tools that must never run. */
  readonly blockedTools?: readonly string[];
  /** Names of tools that require the user's approval on each call, whatever the settings. */
  readonly forcedApprovals?: readonly string[];
  /** The only models that are allowed; default: all models. */
  readonly allowedModels?: readonly string[];
  /** Spending caps in USD. */
  readonly spendingCaps?: { readonly perDay?: number; readonly perChat?: number; readonly purposes?: Readonly<Partial<Record<CappedPurpose, number>>> };
}

export interface PolicyGroup extends PolicyRules {
  readonly name: string;
  /** Matches a member that has one of the roles and one of the e-mail addresses; an omitted condition matches all members. */
  readonly match: { readonly roles?: readonly Role[]; readonly people?: readonly string[] };
}

/** Rules for all members, plus rules for groups; the stricter rule applies. */
export interface Policy extends PolicyRules {
  readonly groups?: readonly PolicyGroup[];
}

/** Settings variables of the services, as text. They override the user's settings; environment variables override them. */
export interface FleetConfig {
  readonly harness?: { readonly env?: Readonly<Record<string, string>> };
}

/** Origin of a rule: `everybody`, or the name of a group. */
interface Placed {
  readonly from: string;
}

/** The rules that apply to one person; all of them apply at the same time. */
export interface EffectivePolicy {
  readonly blockedTools: readonly (Placed & { readonly pattern: string })[];
  readonly forcedApprovals: readonly (Placed & { readonly pattern: string })[];
  /** A model must match at least one pattern in each list. */
  readonly allowedModels: readonly (Placed & { readonly patterns: readonly string[] })[];
  /** The lowest cap of each kind. */
  readonly spendingCaps: readonly (Placed & {
    /** Scope of the cap: a day, one chat, or a purpose per day. */ readonly of: 'day' | 'each_chat' | CappedPurpose;
    readonly usd: number;
  })[];
}

/** Claims of a signed policy, which is issued for one person in their current role. */
export interface SignedPolicy {
  readonly org: string;
  readonly orgName: string;
  /** E-mail address and role at the time of signing. */
  readonly sub: string;
  readonly role: Role;
  readonly revision: number;
  readonly policy: Policy;
  readonly effective: EffectivePolicy;
  /** Seconds since 1970. */
  readonly iat: number;
}

/** Claims of a signed fleet configuration. */
export interface SignedFleet {
  readonly org: string;
  readonly orgName: string;
  /** E-mail. */
  readonly sub: string;
  readonly revision: number;
  readonly config: FleetConfig;
  readonly iat: number;
}

export interface PlanePolicy {
  /** Returns the current rules of a member; empty if the organisation has no policy or no entitlement to one. */
  effective(member: Member): Promise<EffectivePolicy>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planePolicy: PlanePolicy;
  }
}
