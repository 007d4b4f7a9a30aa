// Defines the contract of MCP: servers from other sources than a workspace.

/**
 * Contribution point `mcp_root`: a folder whose `.mcp.json` applies in every chat. What it names is started only if the user
 * trusts the folder for exactly that, as with a workspace.
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
