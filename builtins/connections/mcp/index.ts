// Registers MCP: tools of third-party servers that are started as a command or reached by URL, and configured by the user or a trusted workspace.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/connections/mcp';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/connections';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/tools';
import type {} from 'agent-harness/plugins/trust';
import { connectMcp } from './transport/connect-mcp.ts';
import { createMcpRoutes } from './routes.ts';
import { findWorkspaceServers, subjectName } from './saved/workspace-file.ts';

export const manifest = {
  name: 'mcp',
  requires: ['connectionStore', 'tools', 'approvals', 'http', 'product', 'processes', 'turns', 'chats'],
  optional: ['trust'],
  config: Type.Object({
    startMs: Type.Integer({
      default: 60_000,
      minimum: 1_000,
      maximum: 600_000,
      env: 'AGENT_MCP_START_MS',
      words: 'mcp server timeout npx uvx slow first start',
      tab: 'advanced',
      title: 'MCP start timeout (ms)',
      description: 'Maximum time in milliseconds that a call or a set-up waits for an MCP server to start. A slower server continues starting.',
      apply: 'live',
    }),
  }),
  errors: {
    INVALID: { message: 'This MCP server cannot be connected: {why}', status: 400 },
    NOT_FOUND: { message: "There is no MCP server '{name}'.", status: 404 },
    CONNECT_FAILED: { message: "The MCP server '{name}' cannot be connected: {why}", status: 422 },
    SIGN_IN_FAILED: { message: "The sign-in to the MCP server '{name}' failed: {why}", status: 403 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const mcp = connectMcp({
    services: registry.services,
    error: registry.error.bind(registry),
    startMs: () => registry.config.startMs,
    addFamily: (family) => registry.add('tool_family', family),
    changed(name, status) {
      // Listeners report their own errors.
      emitter.call('connection.changed', [{ kind: 'mcp', name, status }]).catch(() => undefined);
    },
    log: (line) => registry.log.debug(line),
    warn: (line) => registry.log.warn(line),
  });
  registry.defer(() => mcp.end(), 'MCP servers');
  for (const route of createMcpRoutes(mcp, (chatId) => registry.services.chats.get(chatId))) registry.add('route', route);
  registry.add('connection_source', { name: 'mcp', connections: () => mcp.begin().then(() => mcp.list()) });
  registry.add('trust_subject', { name: subjectName, find: findWorkspaceServers });
  registry.point('mcp_root', {
    added: ({ root }) => void mcp.begin().then(() => mcp.workspaces.share(root)),
    removed: ({ root }) => void mcp.workspaces.unshare(root),
  });
  emitter.on('kernel_ready', () => void mcp.begin());
  // Only in a process that runs turns: a CLI command that runs while a server is active must not start servers of its own.
  emitter.tap('app.start', () => mcp.serve());
  emitter.tap('turn.before', async ({ workspaceRoot }) => {
    mcp.serve();
    await mcp.begin();
    await mcp.workspaces.look(workspaceRoot);
  });
  emitter.tap('chat.close', async (chatId) => void (await mcp.sessionServers.bring(chatId, [])));
  emitter.tap('trust.changed', ({ workspaceRoot, subject }) => (subject === subjectName ? mcp.workspaces.decided(workspaceRoot) : undefined));
}
