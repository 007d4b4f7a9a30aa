// Defines the contract of MCP: server definitions from sources other than a workspace.

/**
 * Contribution point `mcp_root`: a folder whose `.mcp.json` applies to every chat. Its servers start only after the user has trusted exactly that content, as
 * in a workspace.
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
