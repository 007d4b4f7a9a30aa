// Connects the MCP modules: servers of the user, servers of workspaces, and the tools that they share.
import type { Connection } from 'agent-harness/plugins/connections';
import { whyOf } from '../server/foreign-text.ts';
import type { McpParts } from '../mcp-parts.ts';
import { createResourceTools } from '../server/resource-tools.ts';
import { createSavedServers, type SavedServers } from '../saved/saved-servers.ts';
import { createSessionServers, type SessionServers } from '../saved/session-servers.ts';
import { createWorkspaceServers, type WorkspaceServers } from '../saved/workspace-servers.ts';

export interface ConnectedMcp {
  readonly saved: SavedServers;
  readonly workspaces: WorkspaceServers;
  readonly sessionServers: SessionServers;
  /** Declares saved servers once all plugins are loaded, so that their tools do not take the names of plugin tools. */
  begin(): Promise<void>;
  /** Connects to servers whose tools are unknown; runs in the background, in a process that runs turns. */
  serve(): void;
  list(): Connection[];
  /** Resolves within 2 s, when all servers have ended. */
  end(): Promise<void>;
}

export function connectMcp(parts: McpParts): ConnectedMcp {
  const saved = createSavedServers(parts, refresh);
  const workspaces = createWorkspaceServers(parts, refresh);
  const sessionServers = createSessionServers(parts, refresh);
  const resources = createResourceTools(
    {
      servers: ({ workspaceRoot, chatId }) => [...saved.all(), ...workspaces.of(workspaceRoot), ...sessionServers.of(chatId)],
      all: () => [...saved.all(), ...workspaces.all(), ...sessionServers.all()],
    },
    parts.addFamily,
  );
  let hasEnded = false;
  let begun: Promise<void> | undefined;
  let isServing = false;
  let isLoaded = false;

  async function load(): Promise<void> {
    try {
      await saved.load();
    } catch (fault) {
      parts.warn(`the saved MCP servers cannot be read: ${whyOf(fault)}`);
    }
    isLoaded = true;
    if (isServing && !hasEnded) saved.connectUnknown();
  }

  function refresh(): void {
    if (!hasEnded) resources.refresh();
  }

  return {
    saved,
    workspaces,
    sessionServers,
    begin: () => (begun ??= load()),
    serve() {
      if (isServing) return;
      isServing = true;
      if (isLoaded) saved.connectUnknown();
    },
    list: () => [...saved.list(), ...workspaces.list(), ...sessionServers.list()],
    async end() {
      hasEnded = true;
      await begun;
      resources.end();
      await Promise.all([saved.end(), workspaces.end(), sessionServers.end()]);
    },
  };
}
