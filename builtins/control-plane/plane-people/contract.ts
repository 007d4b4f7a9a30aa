// Defines the contract of people on a control plane: organisations, roles, sessions and access rights.
import type { Disposable } from 'agent-harness/kernel';
import type { Principal, Role } from 'agent-harness/plugins/http';
import type { Tier } from 'agent-harness/plugins/licensing';
import type { Query } from 'agent-harness/builtins/control-plane/plane-database';

export interface Organisation {
  /** `org_…` */
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly seats: number;
}

export interface Person {
  /** `user_…` */
  readonly id: string;
  /** In lower case. */
  readonly email: string;
}

/** The person who sends a request, as a member of one organisation. */
export interface Member {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
  /** Entitlements of the organisation's tier and of the license. */
  readonly entitlements: readonly string[];
  /** `session`: a browser. `license`: a service that was signed in. */
  readonly via: 'session' | 'license';
  /** Id of the session or of the license (`jti`), which is used to revoke it. */
  readonly credential: string;
}

/** Reason to close open streams or check them again. */
export type AccessChange =
  | { readonly what: 'credential'; readonly credential: string }
  | { readonly what: 'member'; readonly orgId: string; readonly userId: string }
  | { readonly what: 'organisation'; readonly orgId: string };

/** A new person, with a password or by single sign-on. */
export interface NewPerson {
  readonly email: string;
  /** Omitted for single sign-on. */
  readonly password?: string;
}

/** The current membership in the database. */
export interface Membership {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
}

export interface SessionAbout {
  /** Client address of the browser. */
  readonly peer: string;
  /** User agent of the browser. */
  readonly agent?: string | undefined;
  /**
   * Whether the session is valid only for this organisation, because its identity provider confirmed the identity; such a session cannot change the account.
   */
  readonly isBound?: boolean;
}

export interface SessionStart {
  /** `name=value`, as the browser sends it. */
  readonly cookie: string;
  /** The value of the header `Set-Cookie`. */
  readonly setCookie: string;
}

export interface People {
  /**
   * Returns the member of a request. Throws `PLANE_PEOPLE_ERR_FORBIDDEN` (403) for a principal without a membership.
   * @param via set it to `session` for changes of rights: throws `PLANE_PEOPLE_ERR_SESSION_NEEDED` (403) for a license, because licenses are stored on machines
   */
  member(principal: Principal | undefined, via?: 'session'): Member;
  /** Returns the person of a browser or service, possibly without an organisation. Throws `PLANE_PEOPLE_ERR_SIGNED_OUT` (401) otherwise. */
  person(principal: Principal | undefined): Person;
  /** Returns the principal that a token source uses for a member; the inverse of {@link People.member}. */
  principalOf(member: Member): Principal;
  find(email: string): Promise<Person | undefined>;
  organisation(orgId: string): Promise<Organisation | undefined>;
  /** Resolves with `undefined` if the person is not a member. */
  membership(orgId: string, userId: string, transaction?: Query): Promise<Membership | undefined>;
  /** Returns the organisations of one person, most recently used first. */
  organisationsOf(userId: string): Promise<readonly { readonly org: Organisation; readonly role: Role }[]>;
  /** Returns the first organisation, whose owners operate this control plane; `undefined` if none exists. */
  operator(): Promise<Organisation | undefined>;
  /** Creates a person. Rejects with `PLANE_PEOPLE_ERR_…` if the e-mail address is taken or invalid, or the password is too weak. */
  create(person: NewPerson, transaction?: Query): Promise<Person>;
  /** Creates an organisation. The first one operates the control plane and gets the enterprise tier. */
  createOrganisation(name: string, transaction?: Query): Promise<Organisation>;
  /** Adds a member or changes a member's role, within the seats of the plan. Rejects with `PLANE_PEOPLE_ERR_SEATS_TAKEN` and `PLANE_PEOPLE_ERR_LAST_OWNER`. */
  join(orgId: string, userId: string, role: Role, transaction?: Query): Promise<void>;
  beginSession(userId: string, orgId: string | undefined, about: SessionAbout): Promise<SessionStart>;
  /** Ends the sessions that are bound to the organisation, on every node. @param userId ends only sessions of this person */
  endBoundSessions(orgId: string, userId?: string): Promise<void>;
  /** Returns the person of a browser session that is not bound to an organisation. Throws `PLANE_PEOPLE_ERR_…` (401, 403) otherwise. */
  freePerson(principal: Principal | undefined): Person;
  /** Returns the id of the person that {@link freePerson} would return; `undefined` where that throws. */
  freeId(principal: Principal | undefined): string | undefined;
  /** Returns the person that {@link freePerson} would return if the password is correct. Counts attempts as a sign-in does. @param address client address */
  confirm(principal: Principal | undefined, password: string, address: string): Promise<Person>;
  /** Notifies every node of a change of access. Call it after the change has been committed. */
  changed(change: AccessChange): void;
  /**
   * Returns a signal that is aborted within 1 s after the member has lost access on any node, because of a revoked license or session, a changed role, or an
   * ended membership or plan. The caller must dispose it when its stream ends.
   */
  watchAccess(member: Member): Disposable & { readonly signal: AbortSignal };
}

/** A credential of a person, for lists of sessions and devices. */
export interface Credential {
  readonly id: string;
  readonly userId: string;
  readonly orgId?: string;
  /** Name that the device or browser reports for itself. */
  readonly name?: string;
  /** Last client address. */
  readonly peer?: string;
  readonly madeAt: Date;
  readonly seenAt?: Date;
}

/** Contribution point `credential_source`: a source of credentials besides sessions. */
export interface CredentialSource {
  readonly via: Member['via'];
  /** Returns the ids that are no longer valid. Called each second for open streams while signals are lost. */
  ended(credentials: readonly string[]): Promise<readonly string[]>;
  /** Returns the valid credentials of these people. @param orgId returns only credentials for this organisation */
  list(userIds: readonly string[], orgId?: string): Promise<readonly Credential[]>;
  /**
   * Ends credentials of the person: one, those for one organisation, or all except the current one. Resolves with their ids; the caller must notify the nodes.
   */
  end(userId: string, which: { readonly id?: string; readonly orgId?: string; readonly except?: string }, transaction: Query): Promise<readonly string[]>;
}

/** The paid plan of an organisation. */
export interface Plan {
  readonly orgId: string;
  readonly tier: Tier;
  /** Maximum number of members. */
  readonly seats: number;
  /** Wallet cap in micro-credits; default: unchanged. */
  readonly walletCapMicro?: number;
}

/** Parts of a plan that other plugins store, for display to the operator. */
export interface PlanShare {
  readonly walletCapMicro?: number;
  readonly walletUsedMicro?: number;
}

/** Contribution point `plan_part`: a plugin that stores part of the plan outside the organisation's row. */
export interface PlanPart {
  readonly name: string;
  /** Runs inside the transaction that changes the plan; if it throws, nothing changes. */
  apply(plan: Plan, transaction: Query): Promise<void>;
  /** Returns the stored parts of these organisations. */
  describe?(orgIds: readonly string[]): Promise<ReadonlyMap<string, PlanShare>>;
}

/** Client address and account of an attempt. The attempt counts for each field that is given. */
export interface AttemptBy {
  /** Client address from `PlaneSite.clientOf`. All addresses of an IPv6 /64 network count as one. */
  readonly address?: string;
  /** An e-mail address or an id, case-insensitive. */
  readonly account?: string;
}

/** Counts guessing attempts across all nodes. */
export interface PlaneAttempts {
  /**
   * Counts one attempt, and rejects with `PLANE_PEOPLE_ERR_TOO_MANY_ATTEMPTS` (429, Retry-After) above the limit of the address or account per
   * minute. @param kind `sign-in`, `device-code`, …
   */
  take(kind: string, by: AttemptBy): Promise<void>;
  /** Counts an attempt unless `work` succeeds. Also rejects with the error of `work`. */
  guard<T>(kind: string, by: AttemptBy, work: () => Promise<T>): Promise<T>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    people: People;
    planeAttempts: PlaneAttempts;
  }
  interface ContributionPoints {
    credential_source: CredentialSource;
    plan_part: PlanPart;
  }
}
