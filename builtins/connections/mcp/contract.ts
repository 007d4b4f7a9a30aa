// MCP servers that come with something else than a workspace.

/**
 * Contribution point `mcp_root`: a folder whose `.mcp.json` counts in every chat. What it names starts only where a person
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
