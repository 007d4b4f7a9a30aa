// Maps a request's principal to a relay guest.
import type { Principal } from 'agent-harness/plugins/http';
import type { MakeError } from './relay-errors.ts';
import type { SeatedGuest } from './sessions.ts';

/** A symbol is preserved when rights are limited, and never serialised as JSON. */
const seated = Symbol('seated guest');

/** Grants only the rights of a remote session's guest. */
export function principalOf(guest: SeatedGuest): Principal {
  const principal: Principal = { kind: 'guest', id: `${guest.session}.${guest.guest}`, role: 'viewer', areas: ['remote_guest'] };
  return Object.assign<Principal, object>(principal, { [seated]: guest });
}

/** Throws `GUESTS_ONLY` for other callers. */
export function guestOf(principal: Principal | undefined, makeError: MakeError): SeatedGuest {
  const guest = (principal as { readonly [seated]?: SeatedGuest } | undefined)?.[seated];
  if (!guest) throw makeError('GUESTS_ONLY');
  return guest;
}
