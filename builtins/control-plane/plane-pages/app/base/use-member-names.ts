// Resolves the ids of members to e-mail addresses.
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useMembership } from './me.ts';
import { call } from './plane.ts';

/** Returns a function that resolves a user id to an e-mail address: `a former member` for an unknown id, `…` while the members are loading. */
export function useMemberNames(): (userId: string) => string {
  const { orgId } = useMembership();
  const { value } = useLoaded('people', (signal) => call('GET /api/orgs/:id/members', { params: { id: orgId }, signal }));
  const known = new Map(value?.members.map(({ id, email }) => [id, email]));
  return (userId) => known.get(userId) ?? (value ? 'a former member' : '…');
}
