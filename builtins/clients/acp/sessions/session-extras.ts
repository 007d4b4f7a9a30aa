// Applies an editor's session configuration: MCP servers, and additional folders.
import { textStart } from '#lib/text';
import type { McpServer, NewSessionRequest } from '@agentclientprotocol/sdk';
import type { Client, RequestBody } from 'agent-harness/client';

type SessionServer = RequestBody<'PUT /api/chats/:id/mcp'>['servers'][number];
export type SessionExtras = Partial<Pick<NewSessionRequest, 'cwd' | 'mcpServers' | 'additionalDirectories'>>;

const longestName = 32;

/** Rejects if the server refuses an item. Without items, the existing ones remain. */
export async function sendExtras(client: Client, chatId: string, given: SessionExtras, isNew: boolean): Promise<void> {
  const params = { id: chatId };
  const { mcpServers = [], additionalDirectories } = given;
  const folders = additionalDirectories ?? [];
  await Promise.all([
    isNew && mcpServers.length === 0 ? undefined : client.call('PUT /api/chats/:id/mcp', { params, body: { servers: serversOf(mcpServers) } }),
    isNew && folders.length === 0 ? undefined : client.call('PUT /api/chats/:id/folders', { params, body: { folders } }),
  ]);
}

/** Server names become prefixes of tool names, so each server gets a valid, unique name. */
function serversOf(given: readonly McpServer[]): SessionServer[] {
  const taken = new Set<string>();
  return given.map((server) => {
    const name = nameFor(server.name, taken);
    if ('url' in server) return { name, url: server.url, headers: recordOf(server.headers ?? []) };
    return { name, command: server.command, args: server.args ?? [], env: recordOf(server.env ?? []) };
  });
}

function nameFor(name: string, taken: Set<string>): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '') || 'server';
  let found = textStart(plain, longestName);
  for (let number = 2; taken.has(found); number++) found = `${plain.slice(0, longestName - 3)}-${number}`;
  taken.add(found);
  return found;
}

const recordOf = (pairs: readonly { readonly name: string; readonly value: string }[]): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
