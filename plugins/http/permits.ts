// Whether rights are enough for a permission.
import type { Permission, Rights, Role, Route } from 'agent-harness/plugins/http';

/** Each may do what those before it may. */
const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];
/** What the first three of the roles add. */
const levels: readonly string[] = ['read', 'write', 'manage'];

/** The least role that has the permission where no areas limit it. */
export function leastRole(permission: Permission | undefined): Role {
  return roles[levels.indexOf(permission?.slice(permission.lastIndexOf('.') + 1) ?? '')] ?? 'owner';
}

/** What is open and names no permission is open to whoever has a token, too. */
export function isForAll({ auth, permission }: Pick<Route, 'auth' | 'permission'>): boolean {
  return auth === 'open' && permission === undefined;
}

/** Contract: whatever a plugin made up as rights or permission allows nothing to anybody but an owner. */
export function permits({ role, areas }: Rights, permission: Permission | undefined): boolean {
  const area = permission?.slice(0, permission.lastIndexOf('.'));
  const isInside = areas === undefined || (area !== undefined && areas.includes(area));
  return isInside && roles.indexOf(role) >= roles.indexOf(leastRole(permission));
}

/** No more than `ceiling` allows, and no more than they had. */
export function limitTo<T extends Rights>(rights: T, ceiling: Rights): T {
  const role = roles.indexOf(rights.role) < roles.indexOf(ceiling.role) ? rights.role : ceiling.role;
  const areas = rights.areas && ceiling.areas ? rights.areas.filter((area) => ceiling.areas?.includes(area)) : (rights.areas ?? ceiling.areas);
  return { ...rights, role, ...(areas ? { areas } : {}) };
}
