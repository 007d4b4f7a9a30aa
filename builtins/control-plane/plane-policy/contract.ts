// What an organisation lays down for its members' services: policy and fleet configuration.
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import type { Role } from 'agent-harness/plugins/http';

/** Kinds of model calls that have a cap of their own. */
export type CappedPurpose = 'chat' | 'task' | 'memory' | 'heartbeat' | 'dream' | 'voice';

/** In names and models `*` stands for any text. */
export interface PolicyRules {
  /** Names of tools that never run. */
  readonly blockedTools?: readonly string[];
  /** Names of tools that a person approves each time, whatever else is set. */
  readonly forcedApprovals?: readonly string[];
  /** The only models that may answer; all of them when left out. */
  readonly allowedModels?: readonly string[];
  /** USD. */
  readonly spendingCaps?: { readonly perDay?: number; readonly perChat?: number; readonly purposes?: Readonly<Partial<Record<CappedPurpose, number>>> };
}

export interface PolicyGroup extends PolicyRules {
  readonly name: string;
  /** Whoever has one of the roles and is one of the people, by e-mail; what is left out is everybody. */
  readonly match: { readonly roles?: readonly Role[]; readonly people?: readonly string[] };
}

/** What holds for everybody, and for groups in addition: whatever is stricter counts. */
export interface Policy extends PolicyRules {
  readonly groups?: readonly PolicyGroup[];
}

/** Variables of the services, text each. They beat what a person set, and the environment beats them. */
export interface FleetConfig {
  readonly harness?: { readonly env?: Readonly<Record<string, string>> };
}

/** Where a rule comes from: `everybody`, or the name of a group. */
interface Placed {
  readonly from: string;
}

/** What holds for one person; all of it does. */
export interface EffectivePolicy {
  readonly blockedTools: readonly (Placed & { readonly pattern: string })[];
  readonly forcedApprovals: readonly (Placed & { readonly pattern: string })[];
  /** A model must fit one pattern of each. */
  readonly allowedModels: readonly (Placed & { readonly patterns: readonly string[] })[];
  /** The lowest of each. */
  readonly spendingCaps: readonly (Placed & {
    /** A day, one chat, or a purpose in a day. */ readonly of: 'day' | 'each_chat' | CappedPurpose;
    readonly usd: number;
  })[];
}

/** Claims of the signature that a service gets with a policy: it is for one person, in the role they have. */
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
  /** What holds for a member now; nothing where the organisation has no policy, or no entitlement to one. */
  effective(member: Member): Promise<EffectivePolicy>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    planePolicy: PlanePolicy;
  }
}
