// Formats the title of a workspace. Pure.

/** Services identify a workspace by its fingerprint; the one shared by all of them is `global`. */
export function workspaceTitle(workspace: string): string {
  return workspace === 'global' ? 'Everywhere' : `Workspace ${workspace}`;
}
