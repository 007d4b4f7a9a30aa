// Serves the agent as an MCP server: tools for its chats and the tools of the agent, skills as prompts, chats and notes as resources.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, RootsListChangedNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { CallError, type Client } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import type { Product } from 'agent-harness/plugins/storage';
import { listChatTools, type AgentTool } from './agent-tools.ts';
import { createConnectionChat } from './connection-chat.ts';
import { listOwnTools } from './own-tools.ts';
import { servePrompts } from './prompts.ts';
import { serveResources } from './resources.ts';
import { findWorkFolder } from './work-folder.ts';
import { createPersonAtClient } from './person-at-client.ts';

const noteEveryMs = 250;

/** Creates the server without connecting it. @param served selects which tools of the agent are served */
export function createAgentServer(client: Client, product: Product, served: string): Server {
  const server = new Server(
    { name: product.name, title: product.title, version: product.version },
    { capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } } },
  );
  const person = createPersonAtClient(server);
  const findFolder = (): Promise<string | undefined> => findWorkFolder(server, product.startFolder);
  const ownChat = createConnectionChat(client, findFolder);
  const chatTools = listChatTools({ client, person, ownChat, findFolder });
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    ownChat.leave();
    // The prompts are the skills of the working folder, which has changed.
    server.sendPromptListChanged().catch(() => undefined);
  });
  servePrompts(server, client, findFolder);
  serveResources(server, client, product.name);

  async function listTools(): Promise<Map<string, AgentTool>> {
    const ownTools = await listOwnTools({ client, person, ownChat, served });
    // Tools for chats take precedence: a tool of the agent with the same name would hide them.
    return new Map([...ownTools, ...chatTools].map((tool) => [tool.name, tool]));
  }
  const findTool = async (name: string): Promise<AgentTool | undefined> => chatTools.find((tool) => tool.name === name) ?? (await listTools()).get(name);

  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...(await listTools()).values()].map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema,
      annotations: { readOnlyHint: isReadOnly },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const tool = await findTool(params.name);
    if (!tool) return failed(`Unknown tool '${textStart(params.name, 100)}'.`);
    const token = _meta?.progressToken;
    const sendProgress = throttle((progress, message) => {
      if (token === undefined) return;
      // A disconnected client misses the notification.
      sendNotification({ method: 'notifications/progress', params: { progressToken: token, progress, message } }).catch(() => undefined);
    });
    return run(tool, params.arguments ?? {}, signal, sendProgress);
  });
  return server;
}

async function run(tool: AgentTool, args: Record<string, unknown>, signal: AbortSignal, sendProgress: (note: string) => void): Promise<CallToolResult> {
  const fault = tool.findFault(args);
  if (fault !== undefined) return failed(fault);
  try {
    const { text, isError } = await tool.run(args, { signal, say: sendProgress });
    return { content: [{ type: 'text', text }], ...(isError === true ? { isError } : {}) };
  } catch (thrown) {
    return failed(thrown instanceof CallError ? `${thrown.message} (${thrown.code})` : messageOf(thrown));
  }
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Sends increasing progress numbers at a limited rate. */
function throttle(send: (progress: number, note: string) => void): (note: string) => void {
  let count = 0;
  let last = -Infinity;
  return (note) => {
    const now = performance.now();
    if (now - last < noteEveryMs) return;
    last = now;
    count += 1;
    send(count, note);
  };
}
