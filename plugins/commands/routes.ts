// The commands over HTTP: which there are, and running one.
import * as Type from 'typebox';
import type { ChatMeta } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { SlashCommands } from './slash-commands.ts';

const command = Type.Object({ name: Type.String(), summary: Type.String(), usage: Type.Optional(Type.String()) });
const listing = { reply: Type.Object({ commands: Type.Array(command) }) };
const running = {
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 32, description: 'Without the slash.' }),
      args: Type.Optional(Type.String({ maxLength: 100_000 })),
      chatId: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ text: Type.String() }),
};

export function listRoutes(slash: SlashCommands, chatOf: (chatId?: string) => Promise<ChatMeta>): [Route<typeof listing>, Route<typeof running>] {
  return [
    {
      key: 'GET /api/commands',
      summary: 'Lists the slash commands.',
      tag: 'commands',
      schema: listing,
      handle: () => ({ commands: slash.list() }),
    },
    {
      key: 'POST /api/commands',
      summary: 'Runs a slash command and answers what it says.',
      tag: 'commands',
      schema: running,
      async handle({ body: { name, args = '', chatId } }) {
        const chat = await chatOf(chatId);
        return { text: await slash.run(name, { chatId: chat.chatId, workspaceRoot: chat.workspaceRoot, args }) };
      },
    },
  ];
}
