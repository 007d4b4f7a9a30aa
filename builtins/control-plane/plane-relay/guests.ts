// Converts guests of relayed remote sessions to principals, and principals of requests back to guests.
import type { Principal } from 'agent-harness/plugins/http';
import type { MakeError } from './relay-errors.ts';
import type { JoinedGuest } from './sessions.ts';

/** Property of a principal with its guest. A symbol is copied when rights are limited, and is never serialised as JSON. */
const joinedGuest = Symbol('joinedGuest guest');

/** Returns a principal that has only the rights of a guest. */
export function principalOf(guest: JoinedGuest): Principal {
  const principal: Principal = { kind: 'guest', id: `${guest.session}.${guest.guest}`, role: 'viewer', areas: ['remote_guest'] };
  return Object.assign<Principal, object>(principal, { [joinedGuest]: guest });
}

/** Returns the guest of a request. Throws `GUESTS_ONLY` for other callers. */
export function guestOf(principal: Principal | undefined, makeError: MakeError): JoinedGuest {
  const guest = (principal as { readonly [joinedGuest]?: JoinedGuest } | undefined)?.[joinedGuest];
  if (!guest) throw makeError('GUESTS_ONLY');
  return guest;
}
