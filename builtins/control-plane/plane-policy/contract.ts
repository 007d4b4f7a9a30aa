// Defines the contract of an organisation's rules for its members' services: policy and fleet configuration.
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import type { Role } from 'agent-harness/plugins/http';

/** Kinds of model calls that have a cap of their own. */
export type CappedPurpose = 'chat' | 'task' | 'memory' | 'heartbeat' | 'dream' | 'voice';

/** In names and models `*` stands for any text. */
export interface PolicyRules {
  /** Names of tools that never run. */
  readonly blockedTools?: readonly string[];
  /** Names of tools that require the user's approval each time, whatever else is set. */
  readonly forcedApprovals?: readonly string[];
  /** The only models that may be used; all of them when left out. */
  readonly allowedModels?: readonly string[];
  /** In USD. */
  readonly spendingCaps?: { readonly perDay?: number; readonly perChat?: number; readonly purposes?: Readonly<Partial<Record<CappedPurpose, number>>> };
}

export interface PolicyGroup extends PolicyRules {
  readonly name: string;
  /** Matches anyone who has one of the roles and is one of the people, by e-mail; a condition that is left out matches all members. */
  readonly match: { readonly roles?: readonly Role[]; readonly people?: readonly string[] };
}

/** The rules for all members, and for groups in addition: the stricter one applies. */
export interface Policy extends PolicyRules {
  readonly groups?: readonly PolicyGroup[];
}

/** Variables of the services, each a text. They override the user's settings, and are overridden by the environment. */
export interface FleetConfig {
  readonly harness?: { readonly env?: Readonly<Record<string, string>> };
}

/** Origin of a rule: `everybody`, or the name of a group. */
interface Placed {
  readonly from: string;
}

/** The rules for one person; all of them apply. */
export interface EffectivePolicy {
  readonly blockedTools: readonly (Placed & { readonly pattern: string })[];
  readonly forcedApprovals: readonly (Placed & { readonly pattern: string })[];
  /** A model must match one pattern of each. */
  readonly allowedModels: readonly (Placed & { readonly patterns: readonly string[] })[];
  /** The lowest of each. */
  readonly spendingCaps: readonly (Placed & {
    /** A day, one chat, or a purpose in a day. */ readonly of: 'day' | 'each_chat' | CappedPurpose;
    readonly usd: number;
  })[];
}

/** Claims of the signature that a service gets with a policy: it is for one person, in their current role. */
export interface SignedPolicy {
  readonly org: string;
  readonly orgName: string;
  /** E-mail, and role at that time. */
  readonly sub: string;
  readonly role: Role;
  readonly revision: number;
  readonly policy: Policy;
  readonly effective: EffectivePolicy;
  /** Seconds since 1970. */
  readonly iat: number;
}

/** Claims of the signature of a fleet configuration. */
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
  /** What currently applies to a member; nothing if the organisation has no policy, or no entitlement to one. */
  effective(member: Member): Promise<EffectivePolicy>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planePolicy: PlanePolicy;
  }
}
