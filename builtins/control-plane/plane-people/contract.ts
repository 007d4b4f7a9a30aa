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

export interface People {
  /** As whom the request is made. Throws `PLANE_PEOPLE_ERR_FORBIDDEN` (403) for a principal that is no member of anything. */
  member(principal: Principal | undefined): Member;
  find(email: string): Promise<Person | undefined>;
  organisation(orgId: string): Promise<Organisation | undefined>;
  /** Of one person, the one they used last first. */
  organisationsOf(userId: string): Promise<readonly { readonly org: Organisation; readonly role: Role }[]>;
  /** Rejects with `PLANE_PEOPLE_ERR_…` where the e-mail is taken or the password too weak. */
  create(person: NewPerson, transaction?: Query): Promise<Person>;
  /** Adds a member, or changes the role of one; counts seats. */
  join(orgId: string, userId: string, role: Role, transaction?: Query): Promise<void>;
  /** A browser session, with the cookie's value. */
  beginSession(userId: string, orgId: string, about: { readonly peer: string; readonly agent?: string }): Promise<{ readonly cookie: string }>;
  /** Tells every node. Contract: called after the transaction that made it true. */
  changed(change: AccessChange): void;
  /**
   * Ends with the member's access, within 1 s on every node: a license or session that was revoked, a role that changed, a membership or plan
   * that ended. Whoever answers with a stream ends it with this signal. Disposed when the stream ends by itself.
   */
  watchAccess(member: Member): Disposable & { readonly signal: AbortSignal };
}

/** Counts what could be guessed, over all nodes. */
export interface PlaneAttempts {
  /**
   * Counts one attempt for each of the keys (an address, an account) and rejects with `PLANE_PEOPLE_ERR_TOO_MANY_ATTEMPTS` (429, Retry-After) once
   * one of them has too many in this minute. @param kind `sign-in`, `device-code`, …
   */
  take(kind: string, keys: readonly string[]): Promise<void>;
  /** Takes them back, because it was right. */
  forgive(kind: string, keys: readonly string[]): Promise<void>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    people: People;
    planeAttempts: PlaneAttempts;
  }
}
