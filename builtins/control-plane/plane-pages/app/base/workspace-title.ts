// Formats the title of a workspace. Pure.

/** Services identify a workspace by its fingerprint; `global` is the shared one. */
export function workspaceTitle(workspace: string): string {
  return workspace === 'global' ? 'Everywhere' : `Workspace ${workspace}`;
}
