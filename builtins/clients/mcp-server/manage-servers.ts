// Implements `mcp add`, `list`, `remove` and `test`: manages the MCP servers that this agent uses.
import { createClient, type Client, type RequestBody } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { makeSafe } from '#lib/terminal';
import { countWithNoun, oneLine } from '#lib/text';
import type { CliCommand, CliOutput } from 'agent-harness/plugins/commands';
import { reachServer, type ServerParts } from './reach-server.ts';

const usage = "Use 'mcp add NAME URL', 'mcp add NAME -- COMMAND ARGUMENTS…', 'mcp list', 'mcp remove NAME' or 'mcp test NAME'.";
const exitCodes = { done: 0, failed: 1, use: 2 } as const;

type Input = Parameters<CliCommand['run']>[0];

/** Resolves with the exit code. */
export async function manageServers(parts: Omit<ServerParts, 'served'>, { positionals, lists = {}, signal }: Input, output: CliOutput): Promise<number> {
  const [action = '', name, ...words] = positionals;
  const isListed = action === 'list';
  const isKnown = ['add', 'list', 'remove', 'test'].includes(action);
  if (!isKnown || (isListed ? name !== undefined : name === undefined || (action === 'add' ? words.length === 0 : words.length > 0))) {
    output.err(`${usage}\n`);
    return exitCodes.use;
  }
  const body = action === 'add' ? bodyOf(name ?? '', words, lists) : undefined;
  if (typeof body === 'string') {
    output.err(`${body}\n`);
    return exitCodes.use;
  }
  const reached = await reachServer(parts);
  const client = createClient({ origin: reached.url, token: reached.token });
  try {
    return await run(client, action, name ?? '', body, output);
  } catch (fault) {
    output.err(`${oneLine(makeSafe(messageOf(fault)), 2_000)}\n`);
    return exitCodes.failed;
  } finally {
    client.close();
    await reached.leave(signal);
  }
}

type Body = RequestBody<'POST /api/integrations/mcp'>;

async function run(client: Client, action: string, name: string, body: Body | undefined, output: CliOutput): Promise<number> {
  const out = (text: string): void => output.out(`${oneLine(makeSafe(text), 2_000)}\n`);
  if (body) {
    const { authorizeUrl, ...offer } = await client.call('POST /api/integrations/mcp', { body });
    if (authorizeUrl === undefined) return describeOffer(name, offer, out);
    out(`${name} was added. Sign in within 10 minutes: ${authorizeUrl}`);
    return exitCodes.done;
  }
  if (action === 'test') return describeOffer(name, await client.call('POST /api/integrations/mcp/:name/test', { params: { name } }), out);
  if (action === 'remove') {
    await client.call('DELETE /api/integrations/mcp/:name', { params: { name } });
    out(`${name} was removed.`);
    return exitCodes.done;
  }
  const { connections } = await client.call('GET /api/integrations');
  const servers = connections.filter(({ kind }) => kind === 'mcp');
  for (const { name: one, status, toolCount, error } of servers)
    out(`${one}  ${status}  ${countWithNoun(toolCount, 'tool')}${error === undefined ? '' : `  ${error}`}`);
  if (servers.length === 0) out('No MCP server is set up.');
  return exitCodes.done;
}

function describeOffer(
  name: string,
  { toolCount, tools, error }: { toolCount: number; tools: readonly { name: string }[]; error?: string },
  out: (text: string) => void,
): number {
  out(`${name}: ${countWithNoun(toolCount, 'tool')}${toolCount === 0 ? '' : `: ${tools.map((tool) => tool.name).join(', ')}`}`);
  if (error !== undefined) out(error);
  return exitCodes.done;
}

/** Returns an error sentence for invalid arguments. */
function bodyOf(name: string, [first = '', ...args]: readonly string[], lists: NonNullable<Input['lists']>): Body | string {
  const [env = [], headers = []] = [lists['env'], lists['header']];
  if (!/^https?:\/\//i.test(first)) {
    if (headers.length > 0) return '--header requires a URL; pass secrets to a command with --env.';
    const pairs = env.map((pair) => /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(pair));
    if (pairs.includes(null)) return '--env must be NAME=VALUE.';
    return { name, command: first, args: [...args], env: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''])) };
  }
  if (args.length > 0 || env.length > 0) return 'A URL takes neither arguments nor --env.';
  if (headers.length === 0) return { name, url: first };
  const header = headers.length === 1 ? /^([^:]+):\s*(.*)$/s.exec(headers[0] ?? '') : null;
  if (!header) return "--header must be one header, 'Name: value'.";
  const [, title = '', value = ''] = header;
  const token = title.toLowerCase() === 'authorization' ? /^bearer\s+(.+)$/i.exec(value)?.[1] : undefined;
  return { name, url: first, auth: token === undefined ? { kind: 'header', name: title, value } : { kind: 'bearer', token } };
}
