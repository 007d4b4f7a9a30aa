// Defines the tools with which other programs use the agent: list chats, create one, send a message, read messages.
import { textStart } from '#lib/text';
import type { Client } from 'agent-harness/client';
import type { OwnChat } from './connection-chat.ts';
import { readEntries } from './read-entries.ts';
import { sendMessage, type AgentAnswer, type CallParts } from './send-message.ts';
import type { PersonAtClient } from './person-at-client.ts';

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [field: string]: unknown };
  readonly isReadOnly: boolean;
  /** Returns the error in the arguments, as a sentence. */
  findFault(args: Readonly<Record<string, unknown>>): string | undefined;
  run(args: Readonly<Record<string, unknown>>, parts: CallParts): Promise<AgentAnswer>;
}

interface Argument {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly isRequired?: boolean;
  readonly most: number;
}

export interface ChatToolParts {
  readonly client: Client;
  readonly person: PersonAtClient;
  readonly ownChat: OwnChat;
  readonly findFolder: () => Promise<string | undefined>;
}

const chatArgument: Argument = { type: 'string', description: 'Id of a chat.', most: 100 };

export function listChatTools({ client, person, ownChat, findFolder }: ChatToolParts): AgentTool[] {
  return [
    tool('list_chats', 'Lists the chats of the agent, newest first.', true, {}, async () => {
      const { chats } = await client.call('GET /api/chats');
      const rows = chats.map(({ chatId, title, workspaceRoot, updatedAt, busy }) => ({ chatId, title, workspaceRoot, updatedAt, busy }));
      return { text: JSON.stringify(rows, undefined, 1) };
    }),
    tool(
      'new_chat',
      'Creates a chat. Messages without a chatId then go to it.',
      false,
      {
        title: { type: 'string', description: 'For people.', most: 1_000 },
        workspaceRoot: {
          type: 'string',
          description: 'Absolute path of the working folder. Default: the one of this connection; `scratch`: an empty one.',
          most: 4_096,
        },
      },
      async ({ title, workspaceRoot }) => {
        const folder = workspaceRoot === 'scratch' ? undefined : ((workspaceRoot as string | undefined) ?? (await findFolder()));
        const where = folder === undefined ? { workspaceMode: 'scratch' as const } : { workspaceMode: 'folder' as const, workspaceRoot: folder };
        const made = await client.call('POST /api/chats', { body: { ...where, ...(title === undefined ? {} : { title: title as string }), activate: false } });
        ownChat.choose(made.chatId);
        return { text: JSON.stringify({ chatId: made.chatId, workspaceRoot: made.workspaceRoot }) };
      },
    ),
    tool(
      'send_message',
      'Sends a message to the agent, waits until it is done, and returns its reply. May take minutes.',
      false,
      {
        text: { type: 'string', description: 'The message.', isRequired: true, most: 200_000 },
        chatId: { ...chatArgument, description: 'Chat id; default: the chat of this connection.' },
      },
      ({ text, chatId }, parts) =>
        ownChat.inTurn(chatId as string | undefined, (id) => sendMessage({ client, person, chatId: id, text: text as string }, parts)),
    ),
    tool(
      'read_chat',
      'Reads the newest entries of a chat: messages and tool calls.',
      true,
      { chatId: { ...chatArgument, isRequired: true }, limit: { type: 'integer', description: 'Number of entries; default 50.', most: 200 } },
      async ({ chatId, limit = 50 }) => {
        return { text: JSON.stringify(await readEntries(client, chatId as string, limit as number), undefined, 1) };
      },
    ),
  ];
}

function tool(name: string, description: string, isReadOnly: boolean, args: Readonly<Record<string, Argument>>, run: AgentTool['run']): AgentTool {
  const required = Object.keys(args).filter((key) => args[key]?.isRequired === true);
  const properties = Object.fromEntries(Object.entries(args).map(([key, argument]) => [key, schemaOf(argument)]));
  return {
    name,
    description,
    isReadOnly,
    inputSchema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false },
    findFault(given) {
      const missing = required.find((key) => given[key] === undefined);
      if (missing !== undefined) return `'${missing}' is missing.`;
      return Object.entries(given)
        .map(([key, value]) => findArgumentFault(key, args[key], value))
        .find((fault) => fault !== undefined);
    },
    run,
  };
}

function schemaOf({ type, description, most }: Argument): object {
  return type === 'string' ? { type, description, minLength: 1, maxLength: most } : { type, description, minimum: 1, maximum: most };
}

function findArgumentFault(key: string, argument: Argument | undefined, value: unknown): string | undefined {
  if (!argument) return `Unknown argument '${textStart(key, 100)}'.`;
  if (argument.type === 'integer')
    return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= argument.most
      ? undefined
      : `'${key}' must be a whole number from 1 to ${argument.most}.`;
  return typeof value === 'string' && value !== '' && value.length <= argument.most
    ? undefined
    : `'${key}' must be a text of 1 to ${argument.most} characters.`;
}
