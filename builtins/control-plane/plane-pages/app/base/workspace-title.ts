// What a workspace is called. Pure.

/** Services name a workspace by its fingerprint; what all of them share is `global`. */
export function workspaceTitle(workspace: string): string {
  return workspace === 'global' ? 'Everywhere' : `Workspace ${workspace}`;
}
