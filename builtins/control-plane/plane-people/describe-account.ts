// Builds the description of the signed-in user for clients.
import type { Static } from 'typebox';
import { entitlementsOf } from 'agent-harness/tiers';
import type { Member, Membership, Person } from './contract.ts';
import type { RouteParts } from './route-parts.ts';
import type { account } from './schemas.ts';

export interface Described {
  readonly person: Person;
  readonly via: Member['via'];
  /** Current organisation of the user. */
  readonly now: Membership | Member | undefined;
  /** Whether the session is bound to the current organisation. */
  readonly isBound?: boolean | undefined;
}

export async function describeAccount({ directory }: Pick<RouteParts, 'directory'>, { person, via, now, isBound }: Described): Promise<Static<typeof account>> {
  const [known, operator] = await Promise.all([directory.organisationsOf(person.id), directory.operator()]);
  const all = isBound ? known.filter(({ org }) => org.id === now?.org.id) : known;
  const entitlements = now && ('entitlements' in now ? [...now.entitlements] : entitlementsOf(now.org.tier));
  return {
    person: { id: person.id, email: person.email },
    organisation: now ? { ...now.org, role: now.role, entitlements: entitlements ?? [], operates: now.org.id === operator?.id } : null,
    organisations: all.map(({ org, role }) => ({ ...org, role })),
    via,
  };
}
