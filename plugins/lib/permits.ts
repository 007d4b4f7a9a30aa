// Checks rights against a permission, for the server, which enforces it, and for the page, which shows the available actions.

/** Each role includes the rights of the roles before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
/** The permission levels that the first three roles add. */
const levels: readonly string[] = ['read', 'write', 'manage'];

/** Returns the lowest role with the permission, if no areas restrict it. */
export function leastRole(permission: string | undefined): (typeof roles)[number] {
  return roles[levels.indexOf(permission?.slice(permission.lastIndexOf('.') + 1) ?? '')] ?? 'owner';
}

/** Contract: unknown rights or permissions of a plugin allow access only to the owner. */
export function permits({ role, areas }: { readonly role: string; readonly areas?: readonly string[] | undefined }, permission: string | undefined): boolean {
  const area = permission?.slice(0, permission.lastIndexOf('.'));
  const isInside = areas === undefined || (area !== undefined && areas.includes(area));
  return isInside && roles.findIndex((one) => one === role) >= roles.indexOf(leastRole(permission));
}
