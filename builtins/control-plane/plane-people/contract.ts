// Who may do what on a control plane: people, organisations, roles, sessions.
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

/** A person in one organisation, as whom a request is made. */
export interface Member {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
  /** What the organisation's tier unlocks, and what the license adds. */
  readonly entitlements: readonly string[];
  /** `session`: a browser. `license`: a service that somebody signed in to. */
  readonly via: 'session' | 'license';
  /** Of the session or the license (`jti`): what is ended when this one is. */
  readonly credential: string;
}

/** Why what somebody holds open has to end or be looked at again. */
export type AccessChange =
  | { readonly what: 'credential'; readonly credential: string }
  | { readonly what: 'member'; readonly orgId: string; readonly userId: string }
  | { readonly what: 'organisation'; readonly orgId: string };

/** How to become a person: created with a password, or by single sign-on. */
export interface NewPerson {
  readonly email: string;
  /** Left out for somebody who signs in elsewhere. */
  readonly password?: string;
}

/** A membership as it is in the database now. */
export interface Membership {
  readonly person: Person;
  readonly org: Organisation;
  readonly role: Role;
}

export interface SessionAbout {
  /** Address of the browser. */
  readonly peer: string;
  /** As the browser names itself. */
  readonly agent?: string | undefined;
  /**
   * It is for this organisation alone, as that vouches for who it is: it goes on in no other one and changes nothing of the person's account.
   */
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
   * As whom the request is made. Throws `PLANE_PEOPLE_ERR_FORBIDDEN` (403) for a principal that is no member of anything.
   *
   * @param via for what changes who may do what: throws `PLANE_PEOPLE_ERR_SESSION_NEEDED` (403) for a license, which lies on machines
   */
  member(principal: Principal | undefined, via?: 'session'): Member;
  /** Whose browser or service it is, who may be in no organisation any more. Throws `PLANE_PEOPLE_ERR_SIGNED_OUT` (401) for anybody else. */
  person(principal: Principal | undefined): Person;
  /** What a token source answers for a member; {@link People.member} gives that member back. */
  principalOf(member: Member): Principal;
  find(email: string): Promise<Person | undefined>;
  organisation(orgId: string): Promise<Organisation | undefined>;
  /** `undefined` where the person is no member (any more). */
  membership(orgId: string, userId: string, transaction?: Query): Promise<Membership | undefined>;
  /** Of one person, the one they used last first. */
  organisationsOf(userId: string): Promise<readonly { readonly org: Organisation; readonly role: Role }[]>;
  /** The organisation whose owners run this plane: the first one; `undefined` before there is one. */
  operator(): Promise<Organisation | undefined>;
  /** Rejects with `PLANE_PEOPLE_ERR_…` where the e-mail is taken or no address, or the password too weak. */
  create(person: NewPerson, transaction?: Query): Promise<Person>;
  /** The first organisation becomes the operator's, with every tier. */
  createOrganisation(name: string, transaction?: Query): Promise<Organisation>;
  /** Adds a member, or changes the role of one; counts seats. Rejects with `PLANE_PEOPLE_ERR_SEATS_TAKEN`, `PLANE_PEOPLE_ERR_LAST_OWNER`. */
  join(orgId: string, userId: string, role: Role, transaction?: Query): Promise<void>;
  /** A browser session. */
  beginSession(userId: string, orgId: string | undefined, about: SessionAbout): Promise<SessionStart>;
  /** Ends the sessions that are bound to the organisation, on every node. @param userId of this person alone */
  endBoundSessions(orgId: string, userId?: string): Promise<void>;
  /** Who makes the request from a browser whose session is bound to no organisation. Throws `PLANE_PEOPLE_ERR_…` (401, 403) for anybody else. */
  freePerson(principal: Principal | undefined): Person;
  /** The id of that person; `undefined` for anybody else. */
  freeId(principal: Principal | undefined): string | undefined;
  /** The same, where the password is theirs; attempts are counted as those of signing in. @param address of the client */
  confirm(principal: Principal | undefined, password: string, address: string): Promise<Person>;
  /** Tells every node. Contract: called after the transaction that made it true. */
  changed(change: AccessChange): void;
  /**
   * Ends with the member's access, within 1 s on every node: a license or session that was revoked, a role that changed, a membership or plan
   * that ended. Whoever answers with a stream ends it with this signal. Disposed when the stream ends by itself.
   */
  watchAccess(member: Member): Disposable & { readonly signal: AbortSignal };
}

/** Something that a person is signed in with, for lists of sessions and devices. */
export interface Credential {
  readonly id: string;
  readonly userId: string;
  readonly orgId?: string;
  /** Of the device or browser, as it named itself. */
  readonly name?: string;
  /** Address it was seen at last. */
  readonly peer?: string;
  readonly madeAt: Date;
  readonly seenAt?: Date;
}

/** Contribution point `credential_source`: who else gives people something to be signed in with. Sessions are the first of them. */
export interface CredentialSource {
  readonly via: Member['via'];
  /** Which of these are in force no longer. Asked each second for what holds streams open while signals are lost. */
  ended(credentials: readonly string[]): Promise<readonly string[]>;
  /** In force now. @param orgId those for this organisation; all of the person when left out */
  list(userIds: readonly string[], orgId?: string): Promise<readonly Credential[]>;
  /**
   * Ends what the person has: one credential, those for one organisation, or all, except the one they are using. Answers which; whoever asks
   * tells the nodes.
   */
  end(userId: string, which: { readonly id?: string; readonly orgId?: string; readonly except?: string }, transaction: Query): Promise<readonly string[]>;
}

/** What an organisation pays for. */
export interface Plan {
  readonly orgId: string;
  readonly tier: Tier;
  /** How many members it may have. */
  readonly seats: number;
  /** Of its wallet in micro-credits; left out, it stays as it is. */
  readonly walletCapMicro?: number;
}

/** What is kept of a plan elsewhere, for its operator to see. */
export interface PlanShare {
  readonly walletCapMicro?: number;
  readonly walletUsedMicro?: number;
}

/** Contribution point `plan_part`: whoever keeps a part of the plan that is not in the organisation's row. */
export interface PlanPart {
  readonly name: string;
  /** Inside of the transaction that changes the plan, so a throw changes nothing. */
  apply(plan: Plan, transaction: Query): Promise<void>;
  /** What it keeps of these organisations. */
  describe?(orgIds: readonly string[]): Promise<ReadonlyMap<string, PlanShare>>;
}

/** Who tries; an attempt counts for each of the two that is known. */
export interface AttemptBy {
  /** Of the client, see `PlaneSite.clientOf`; a network that one customer has counts as one. */
  readonly address?: string;
  /** An e-mail address or an id, in any case. */
  readonly account?: string;
}

/** Counts what could be guessed, over all nodes. */
export interface PlaneAttempts {
  /**
   * Counts one attempt and rejects with `PLANE_PEOPLE_ERR_TOO_MANY_ATTEMPTS` (429, Retry-After) once the address or the account has too many in this
   * minute. @param kind `sign-in`, `device-code`, …
   */
  take(kind: string, by: AttemptBy): Promise<void>;
  /** The same around what may be a guess; one that was right is taken back. Rejects as `work` does, too. */
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
