// Checks rights against a permission: for the server, which enforces it, and for the page, which shows available actions.

/** Each includes the rights of those before it. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
/** The levels added by the first three roles. */
const levels: readonly string[] = ['read', 'write', 'manage'];

/** Returns the lowest role that has the permission if no areas restrict it. */
export function leastRole(permission: string | undefined): (typeof roles)[number] {
  return roles[levels.indexOf(permission?.slice(permission.lastIndexOf('.') + 1) ?? '')] ?? 'owner';
}

/** Contract: unknown rights or permissions of a plugin allow access to the owner only. */
export function permits({ role, areas }: { readonly role: string; readonly areas?: readonly string[] | undefined }, permission: string | undefined): boolean {
  const area = permission?.slice(0, permission.lastIndexOf('.'));
  const isInside = areas === undefined || (area !== undefined && areas.includes(area));
  return isInside && roles.findIndex((one) => one === role) >= roles.indexOf(leastRole(permission));
}
