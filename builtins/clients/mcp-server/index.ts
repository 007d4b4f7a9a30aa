// Registers the MCP server: `app mcp` serves this agent to other programs over the Model Context Protocol, on standard input and output.
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'mcp-server',
  requires: ['product', 'http', 'webToken'],
  errors: {
    TOKEN_REFUSED: { message: 'The server at {url} refuses the token in {home}. If it was started with AGENT_WEB_TOKEN, set the same one here.' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services } = registry;
  registry.add('cli_command', {
    name: 'mcp',
    summary: 'Serves this agent over MCP on standard input and output; adds, lists, removes and tests the MCP servers it uses.',
    usage: '[add <name> <url or command> [arguments] | list | remove <name> | test <name>]',
    options: {
      tools: {
        type: 'string',
        description: "The agent's own tools to serve: 'shown' (as to a model in a new chat), 'all', 'none', or comma-separated names and families.",
      },
      env: { type: 'string', multiple: true, description: 'With add: environment variable for the command, as NAME=VALUE (repeatable).' },
      header: { type: 'string', multiple: true, description: "With add: header for the URL, as 'Name: value', such as 'Authorization: Bearer …'." },
    },
    async run(input, output) {
      const { positionals, signal, options } = input;
      const parts = { services, makeError: registry.error.bind(registry) };
      if (positionals.length > 0) return (await import('./manage-servers.ts')).manageServers(parts, input, output);
      const { serveMcp } = await import('./serve-mcp.ts');
      const served = typeof options['tools'] === 'string' ? options['tools'] : 'shown';
      return serveMcp({ ...parts, served }, signal, output);
    },
  });
}
