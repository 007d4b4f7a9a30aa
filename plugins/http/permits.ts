// What comes with rights beside permissions: routes for all, and ceilings.
import { roles } from 'agent-harness/lib/permits';
import type { Rights, Route } from 'agent-harness/plugins/http';

export { leastRole, permits } from 'agent-harness/lib/permits';

/** What is open and names no permission is open to whoever has a token, too. */
export function isForAll({ auth, permission }: Pick<Route, 'auth' | 'permission'>): boolean {
  return auth === 'open' && permission === undefined;
}

/** No more than `ceiling` allows, and no more than they had. */
export function limitTo<T extends Rights>(rights: T, ceiling: Rights): T {
  const role = roles.indexOf(rights.role) < roles.indexOf(ceiling.role) ? rights.role : ceiling.role;
  const areas = rights.areas && ceiling.areas ? rights.areas.filter((area) => ceiling.areas?.includes(area)) : (rights.areas ?? ceiling.areas);
  return { ...rights, role, ...(areas ? { areas } : {}) };
}
