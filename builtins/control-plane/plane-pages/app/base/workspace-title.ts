// Formats the title of a workspace. Pure.

/** Returns a readable name of a workspace. @param workspace fingerprint of the workspace; `global` means all workspaces */
export function workspaceTitle(workspace: string): string {
  return workspace === 'global' ? 'Everywhere' : `Workspace ${workspace}`;
}
