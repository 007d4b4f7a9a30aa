// Whether rights are enough for a permission: for the server, which decides, and for the page, which shows what can be done.

/** Each may do what those before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
/** What the first three of the roles add. */
const levels: readonly string[] = ['read', 'write', 'manage'];

/** The least role that has the permission where no areas limit it. */
export function leastRole(permission: string | undefined): (typeof roles)[number] {
  return roles[levels.indexOf(permission?.slice(permission.lastIndexOf('.') + 1) ?? '')] ?? 'owner';
}

/** Contract: whatever a plugin made up as rights or permission allows nothing to anybody but an owner. */
export function permits({ role, areas }: { readonly role: string; readonly areas?: readonly string[] | undefined }, permission: string | undefined): boolean {
  const area = permission?.slice(0, permission.lastIndexOf('.'));
  const isInside = areas === undefined || (area !== undefined && areas.includes(area));
  return isInside && roles.findIndex((one) => one === role) >= roles.indexOf(leastRole(permission));
}
