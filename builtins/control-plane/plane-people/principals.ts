// Converts sessions and members of a control plane to principals, and the principals of requests back to members.
import type { Principal } from 'agent-harness/plugins/http';
import { entitlementsOf } from 'agent-harness/tiers';
import type { Member, Person } from './contract.ts';
import type { MakeError } from './people-errors.ts';
import type { Sessions } from './sessions.ts';

/** Property of a principal that stores its identity. A symbol is copied when rights are limited, and is never serialised as JSON. */
const signedIn = Symbol('signed in');

/** A signed-in user, possibly in no organisation. */
export interface SignedIn {
  readonly person: Person;
  readonly via: Member['via'];
  readonly credential: string;
  readonly member?: Member;
  /** Whether the session is bound to one organisation. */
  readonly isBound?: boolean;
}

/** Rights of a user without an organisation: only the user's own account. */
const ownAreas = ['account'];

export interface Principals {
  identify(token: string): Promise<Principal | undefined>;
  principalOf(member: Member): Principal;
  /** Returns the member of a request. Throws `FORBIDDEN`, and `SESSION_NEEDED` if a browser session is required. */
  member(principal: Principal | undefined, via?: 'session'): Member;
  /** Returns the identity of a request. Throws `SIGNED_OUT`, and `SESSION_NEEDED` or `SESSION_BOUND` if an unbound browser session is required. */
  signedIn(principal: Principal | undefined, via?: 'session'): SignedIn;
  /** Returns whether the request comes from a browser session that is bound to no organisation. */
  isFree(principal: Principal | undefined): boolean;
}

export function createPrincipals(sessions: Pick<Sessions, 'find'>, makeError: MakeError): Principals {
  return {
    async identify(token) {
      const found = await sessions.find(token);
      if (!found) return undefined;
      const { id: credential, person, membership } = found;
      const who = { person, via: 'session', credential } as const;
      const member = membership && { ...membership, ...who, entitlements: entitlementsOf(membership.org.tier) };
      return toPrincipal({ ...who, isBound: found.isBound, ...(member ? { member } : {}) });
    },
    principalOf: (member) => toPrincipal({ person: member.person, via: member.via, credential: member.credential, member }),
    member(principal, via) {
      const member = signedInAs(principal)?.member;
      if (!member) throw makeError('FORBIDDEN');
      if (via !== undefined && member.via !== via) throw makeError('SESSION_NEEDED');
      return member;
    },
    isFree(principal) {
      const who = signedInAs(principal);
      return who?.via === 'session' && !who.isBound;
    },
    signedIn(principal, via) {
      const who = signedInAs(principal);
      if (!who) throw makeError('SIGNED_OUT');
      if (via !== undefined && who.via !== via) throw makeError('SESSION_NEEDED');
      if (via !== undefined && who.isBound) throw makeError('SESSION_BOUND');
      return who;
    },
  };
}

function toPrincipal(one: SignedIn): Principal {
  const { person, member } = one;
  const rights = member ? { role: member.role, entitlements: member.entitlements } : { role: 'viewer' as const, areas: ownAreas };
  return Object.assign<Principal, object>({ kind: 'teammate', id: person.id, name: person.email, ...rights }, { [signedIn]: one });
}

function signedInAs(principal: Principal | undefined): SignedIn | undefined {
  return (principal as { readonly [signedIn]?: SignedIn } | undefined)?.[signedIn];
}
