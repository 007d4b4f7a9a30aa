// Formats the title of a workspace. Pure.

/** @param workspace fingerprint of the workspace; `global` stands for all workspaces */
export function workspaceTitle(workspace: string): string {
  return workspace === 'global' ? 'Everywhere' : `Workspace ${workspace}`;
}
