// Serves resources to an MCP client: transcripts of chats, and the global notes.
import { textStart } from '#lib/text';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { CallError, type Client } from 'agent-harness/client';
import { readEntries } from './read-entries.ts';

const mostChats = 100;
const mostEntries = 200;
const mostNotes = 500;
/** Protocol error code for a missing resource. */
const notFound = -32_002;
const mimeType = 'application/json';

/** @param scheme scheme of the resource addresses */
export function serveResources(server: Server, client: Client, scheme: string): void {
  const chatUri = `${scheme}://chats/`;
  const notesUri = `${scheme}://notes`;

  const listChats = async () => (await client.call('GET /api/chats')).chats;

  /** Reads notes through a chat; returns none without a chat or the memory plugin. */
  async function readNotes(limit: number) {
    const [first] = await listChats();
    if (!first) return undefined;
    try {
      return (await client.call('GET /api/memory', { query: { chatId: first.chatId, scope: 'global', limit } })).notes;
    } catch (fault) {
      if (fault instanceof CallError && fault.code === 'not_found') return undefined;
      throw fault;
    }
  }

  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const chats = (await listChats()).slice(0, mostChats);
    const notes: Resource[] = (await readNotes(1)) === undefined ? [] : [{ uri: notesUri, name: 'notes', title: 'Global notes', mimeType }];
    return {
      resources: [
        ...notes,
        ...chats.map(({ chatId, title, workspaceRoot }) => ({
          uri: chatUri + chatId,
          name: chatId,
          title,
          description: `A chat in ${workspaceRoot}.`,
          mimeType,
        })),
      ],
    };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: `${chatUri}{chatId}`, name: 'chat', description: 'The newest entries of a chat: messages and tool calls.', mimeType }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const content = uri === notesUri ? await readNotes(mostNotes) : uri.startsWith(chatUri) ? await readChat(uri.slice(chatUri.length)) : undefined;
    if (content === undefined) throw new McpError(notFound, `Unknown resource '${textStart(uri, 200)}'.`);
    return { contents: [{ uri, mimeType, text: JSON.stringify(content, undefined, 1) }] };
  });

  async function readChat(chatId: string) {
    try {
      return await readEntries(client, chatId, mostEntries);
    } catch (fault) {
      if (fault instanceof CallError) return undefined;
      throw fault;
    }
  }
}
