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

/** A person in one organisation, on whose behalf a request is made. */
export interface Member {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
  /** What the organisation's tier unlocks, and what the license adds. */
  readonly entitlements: readonly string[];
  /** `session`: a browser. `license`: a service that was signed in. */
  readonly via: 'session' | 'license';
  /** Id of the session or the license (`jti`): what is ended when this one is. */
  readonly credential: string;
}

/** Why open streams have to end or be checked again. */
export type AccessChange =
  | { readonly what: 'credential'; readonly credential: string }
  | { readonly what: 'member'; readonly orgId: string; readonly userId: string }
  | { readonly what: 'organisation'; readonly orgId: string };

/** How a person is created: with a password, or by single sign-on. */
export interface NewPerson {
  readonly email: string;
  /** Left out for single sign-on. */
  readonly password?: string;
}

/** The current membership in the database. */
export interface Membership {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
}

export interface SessionAbout {
  /** Address of the browser. */
  readonly peer: string;
  /** As the browser identifies itself. */
  readonly agent?: string | undefined;
  /** It is for this organisation only, which vouches for the identity: it is not valid in any other one and changes nothing of the person's account. */
  readonly isBound?: boolean;
}

export interface SessionStart {
  /** `name=value`, as a browser sends it back. */
  readonly cookie: string;
  /** The value of the header `Set-Cookie`. */
  readonly setCookie: string;
}

export interface People {
  /**
   * The member making the request. Throws `PLANE_PEOPLE_ERR_FORBIDDEN` (403) for a principal that is not a member of anything.
   *
   * @param via for changes of rights: throws `PLANE_PEOPLE_ERR_SESSION_NEEDED` (403) for a license, which is stored on machines
   */
  member(principal: Principal | undefined, via?: 'session'): Member;
  /** The person of a browser or service, who may be in no organisation any more. Throws `PLANE_PEOPLE_ERR_SIGNED_OUT` (401) otherwise. */
  person(principal: Principal | undefined): Person;
  /** What a token source returns for a member; {@link People.member} returns that member again. */
  principalOf(member: Member): Principal;
  find(email: string): Promise<Person | undefined>;
  organisation(orgId: string): Promise<Organisation | undefined>;
  /** Resolves with `undefined` if the person is not (or no longer) a member. */
  membership(orgId: string, userId: string, transaction?: Query): Promise<Membership | undefined>;
  /** Of one person, the most recently used first. */
  organisationsOf(userId: string): Promise<readonly { readonly org: Organisation; readonly role: Role }[]>;
  /** The organisation whose owners operate this control plane: the first one; `undefined` before there is one. */
  operator(): Promise<Organisation | undefined>;
  /** Rejects with `PLANE_PEOPLE_ERR_…` if the e-mail is taken or invalid, or the password too weak. */
  create(person: NewPerson, transaction?: Query): Promise<Person>;
  /** The first organisation becomes the operator's, with every tier. */
  createOrganisation(name: string, transaction?: Query): Promise<Organisation>;
  /** Adds a member, or changes the role of one; counts seats. Rejects with `PLANE_PEOPLE_ERR_SEATS_TAKEN`, `PLANE_PEOPLE_ERR_LAST_OWNER`. */
  join(orgId: string, userId: string, role: Role, transaction?: Query): Promise<void>;
  /** Starts a browser session. */
  beginSession(userId: string, orgId: string | undefined, about: SessionAbout): Promise<SessionStart>;
  /** Ends the sessions that are bound to the organisation, on every node. @param userId of this person only */
  endBoundSessions(orgId: string, userId?: string): Promise<void>;
  /** The person making the request from a browser whose session is bound to no organisation. Throws `PLANE_PEOPLE_ERR_…` (401, 403) otherwise. */
  freePerson(principal: Principal | undefined): Person;
  /** The id of that person; `undefined` otherwise. */
  freeId(principal: Principal | undefined): string | undefined;
  /** The same, if the password is theirs; attempts are counted as those of signing in. @param address of the client */
  confirm(principal: Principal | undefined, password: string, address: string): Promise<Person>;
  /** Notifies every node. Contract: called after the transaction of the change. */
  changed(change: AccessChange): void;
  /**
   * Ends with the member's access, within 1 s on every node: a revoked license or session, a changed role, an ended membership or
   * plan. A streaming response ends with this signal. Disposed when the stream ends by itself.
   */
  watchAccess(member: Member): Disposable & { readonly signal: AbortSignal };
}

/** A credential of a person, for lists of sessions and devices. */
export interface Credential {
  readonly id: string;
  readonly userId: string;
  readonly orgId?: string;
  /** Name of the device or browser, as given by itself. */
  readonly name?: string;
  /** The last address it was used from. */
  readonly peer?: string;
  readonly madeAt: Date;
  readonly seenAt?: Date;
}

/** Contribution point `credential_source`: other sources of credentials. Sessions are the first of them. */
export interface CredentialSource {
  readonly via: Member['via'];
  /** Which of these are no longer valid. Called each second for open streams while signals are lost. */
  ended(credentials: readonly string[]): Promise<readonly string[]>;
  /** The valid ones. @param orgId those for this organisation; all of the person when left out */
  list(userIds: readonly string[], orgId?: string): Promise<readonly Credential[]>;
  /**
   * Ends the person's credentials: one, those for one organisation, or all, except the one in use. Resolves with which; the caller
   * notifies the nodes.
   */
  end(userId: string, which: { readonly id?: string; readonly orgId?: string; readonly except?: string }, transaction: Query): Promise<readonly string[]>;
}

/** What an organisation pays for. */
export interface Plan {
  readonly orgId: string;
  readonly tier: Tier;
  /** Maximum number of members. */
  readonly seats: number;
  /** Cap of its wallet in micro-credits; when left out, it stays unchanged. */
  readonly walletCapMicro?: number;
}

/** What is stored of a plan elsewhere, for its operator to see. */
export interface PlanShare {
  readonly walletCapMicro?: number;
  readonly walletUsedMicro?: number;
}

/** Contribution point `plan_part`: a plugin that stores a part of the plan that is not in the organisation's row. */
export interface PlanPart {
  readonly name: string;
  /** Inside the transaction that changes the plan, so a throw changes nothing. */
  apply(plan: Plan, transaction: Query): Promise<void>;
  /** What it stores of these organisations. */
  describe?(orgIds: readonly string[]): Promise<ReadonlyMap<string, PlanShare>>;
}

/** Who tries; an attempt counts for each of the two that is known. */
export interface AttemptBy {
  /** Address of the client, see `PlaneSite.clientOf`; a network of one customer counts as one. */
  readonly address?: string;
  /** An e-mail address or an id, case-insensitive. */
  readonly account?: string;
}

/** Counts guessing attempts over all nodes. */
export interface PlaneAttempts {
  /**
   * Counts one attempt and rejects with `PLANE_PEOPLE_ERR_TOO_MANY_ATTEMPTS` (429, Retry-After) once the address or the account has too many in this
   * minute. @param kind `sign-in`, `device-code`, …
   */
  take(kind: string, by: AttemptBy): Promise<void>;
  /** The same around a possible guess; a right one is not counted. Also rejects as `work` does. */
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
