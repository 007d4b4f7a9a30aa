// Defines the contract of MCP: servers from other sources than a workspace.

/**
 * Contribution point `mcp_root`: a folder whose `.mcp.json` applies to every chat. Its servers start only after the user
 * trusted exactly that content, as for a workspace.
 */
export interface McpRoot {
  /** Real path. */
  readonly root: string;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    mcp_root: McpRoot;
  }
}
