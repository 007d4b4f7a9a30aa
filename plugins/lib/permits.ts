// Checks the rights of a principal against a permission. The server enforces the result; the page uses it to show the available actions.

/** Roles in ascending order; each includes the rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
/** The permission levels that the first three roles add. */
const levels: readonly string[] = ['read', 'write', 'manage'];

/** Returns the lowest role that has the permission, assuming that no areas restrict it. */
export function leastRole(permission: string | undefined): (typeof roles)[number] {
  return roles[levels.indexOf(permission?.slice(permission.lastIndexOf('.') + 1) ?? '')] ?? 'owner';
}

/** Returns whether the rights include a permission. Unknown roles and permissions allow access only to the owner. */
export function permits({ role, areas }: { readonly role: string; readonly areas?: readonly string[] | undefined }, permission: string | undefined): boolean {
  const area = permission?.slice(0, permission.lastIndexOf('.'));
  const isInside = areas === undefined || (area !== undefined && areas.includes(area));
  return isInside && roles.findIndex((one) => one === role) >= roles.indexOf(leastRole(permission));
}
