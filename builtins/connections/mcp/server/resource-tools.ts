// Implements the three tools for resources and prompts, which cover all servers.
import type { Disposable } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { RunTool, ToolContext, ToolFamily, ToolOutcome } from 'agent-harness/plugins/tools';
import { cutLine } from './foreign-text.ts';
import type { McpServer } from './mcp-server.ts';
import { describeResource, readPrompt, readResource } from './read-result.ts';

export interface FoundServers {
  /** Returns the servers that a chat can use. */
  servers(chat: Pick<ToolContext, 'workspaceRoot' | 'chatId'>): readonly McpServer[];
  all(): readonly McpServer[];
}

interface ServerArgs {
  readonly server: string;
}

const serverArgument = { type: 'string', maxLength: 32, description: 'Name of the MCP server.' };
const mostListed = 200;

/** Registers the tool family `mcp` while any server offers resources or prompts. Call the returned function after each change. */
export function createResourceTools(found: FoundServers, addFamily: (family: ToolFamily) => Disposable): { refresh(): void; end(): void } {
  let declared: Disposable | undefined;
  const end = (): void => {
    void declared?.dispose();
    declared = undefined;
  };
  return {
    end,
    refresh() {
      const isWanted = found.all().some(({ offer }) => offer.hasResources || offer.hasPrompts);
      if (!isWanted) return end();
      declared ??= addFamily(familyOf(found));
    },
  };
}

function familyOf(found: FoundServers): ToolFamily {
  const declare = (name: string, description: string, properties: Record<string, unknown>, required: string[]): ToolFamily['tools'][number] => ({
    name,
    description,
    input: { type: 'object', properties: { server: serverArgument, ...properties }, required: ['server', ...required], additionalProperties: false },
    effects: ['read', 'network'],
    sendsArguments: { except: ['server'] },
    replay: 'idempotent',
    timeoutMs: 0,
  });
  return {
    name: 'mcp',
    description: 'Resources and prompts of MCP servers.',
    tools: [
      declare('mcp_list_resources', 'Lists the resources, resource templates and prompts of an MCP server.', {}, []),
      declare(
        'mcp_read_resource',
        'Reads a resource of an MCP server.',
        { uri: { type: 'string', minLength: 1, maxLength: 4_000, description: 'As listed.' } },
        ['uri'],
      ),
      declare(
        'mcp_get_prompt',
        'Returns a filled-in prompt of an MCP server.',
        {
          name: { type: 'string', minLength: 1, maxLength: 1_000, description: 'As listed.' },
          args: { type: 'object', additionalProperties: { type: 'string' }, description: 'Arguments by name.' },
        },
        ['name'],
      ),
    ],
    load: async () => runnersOf(found),
  };
}

function runnersOf(found: FoundServers): Record<string, RunTool> {
  const withServer =
    <A extends ServerArgs>(run: (server: McpServer, args: A, context: ToolContext) => Promise<ToolOutcome>): RunTool =>
    (args: A, context) => {
      const servers = found.servers(context);
      const server = servers.find(({ name }) => name === args.server);
      if (server) return run(server, args, context);
      const names = servers.map(({ name }) => name).join(', ') || 'none';
      return { ok: false, error: `Unknown MCP server '${args.server}'.`, hint: `Servers: ${names}.` };
    };
  return {
    mcp_list_resources: withServer(listAll),
    mcp_read_resource: withServer((server, { uri }: ServerArgs & { uri: string }, context) => server.ask('resources/read', { uri }, context, readResource)),
    mcp_get_prompt: withServer((server, { name, args = {} }: ServerArgs & { name: string; args?: Record<string, string> }, context) =>
      server.ask('prompts/get', { name, arguments: args }, context, readPrompt),
    ),
  };
}

async function listAll(server: McpServer, _: ServerArgs, context: ToolContext): Promise<ToolOutcome> {
  const parts = [
    ...(server.offer.hasResources ? [await list('resources/list', 'resources'), await list('resources/templates/list', 'resourceTemplates')] : []),
    ...(server.offer.hasPrompts ? [await list('prompts/list', 'prompts')] : []),
  ];
  const failed = parts.find((part) => !part.ok);
  const texts = parts.flatMap((part) => (part.ok && part.output !== '' ? [part.output] : []));
  if (failed && texts.length === 0) return failed;
  return { ok: true, output: texts.join('\n') || 'It offers none.', isUntrusted: true };

  function list(method: string, key: string): Promise<ToolOutcome> {
    return server.ask(method, {}, context, (result) => {
      const listed = isRecord(result) && Array.isArray(result[key]) ? (result[key] as unknown[]).filter(isRecord) : [];
      const lines = listed
        .slice(0, mostListed)
        .map((one) => (key === 'prompts' ? `Prompt ${describePrompt(one)}` : `${key === 'resources' ? 'Resource' : 'Template'} ${describeResource(one)}`));
      if (listed.length > mostListed) lines.push(`… and ${listed.length - mostListed} more`);
      return { ok: true, output: lines.join('\n'), isUntrusted: true };
    });
  }
}

function describePrompt(prompt: Record<string, unknown>): string {
  const names = Array.isArray(prompt['arguments'])
    ? (prompt['arguments'] as unknown[]).filter(isRecord).map((one) => `${cutLine(String(one['name']), 100)}${one['required'] === true ? '' : '?'}`)
    : [];
  const description = typeof prompt['description'] === 'string' ? `: ${cutLine(prompt['description'], 300)}` : '';
  return `${cutLine(String(prompt['name']), 200)}(${names.join(', ')})${description}`;
}
