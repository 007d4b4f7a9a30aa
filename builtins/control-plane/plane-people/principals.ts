// Which member a principal of a request is.
import type { Principal } from 'agent-harness/plugins/http';
import type { Member, Person } from './contract.ts';

/** A symbol is carried along when rights are limited, and never leaves as JSON. */
const signedIn = Symbol('signed in');

/** Somebody who is signed in, in no organisation perhaps. */
export interface SignedIn {
  readonly person: Person;
  readonly via: Member['via'];
  readonly credential: string;
  readonly member?: Member;
}

/** Where somebody counts who is in no organisation: their own account. */
const ownAreas = ['account'];

export function principalOf(one: SignedIn): Principal {
  const { person, member } = one;
  const rights = member ? { role: member.role, entitlements: member.entitlements } : { role: 'viewer' as const, areas: ownAreas };
  return Object.assign<Principal, object>({ kind: 'teammate', id: person.id, name: person.email, ...rights }, { [signedIn]: one });
}

export function signedInAs(principal: Principal | undefined): SignedIn | undefined {
  return (principal as { readonly [signedIn]?: SignedIn } | undefined)?.[signedIn];
}
