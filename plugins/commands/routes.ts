// The commands over HTTP: which there are, and running one.
import * as Type from 'typebox';
import type { SubmitMessage } from 'agent-harness/plugins/agent';
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
  reply: Type.Object({
    text: Type.String(),
    turnId: Type.Optional(Type.String({ description: 'Of a command that calls tools: it was sent as a message, and runs in that turn.' })),
  }),
};

export interface RouteParts {
  chatOf(chatId?: string): Promise<ChatMeta>;
  /** Sends a message, where there is an agent to hear it. */
  submit(message: SubmitMessage): Promise<{ readonly turnId: string }> | undefined;
}

export function listRoutes(slash: SlashCommands, { chatOf, submit }: RouteParts): [Route<typeof listing>, Route<typeof running>] {
  return [
    {
      key: 'GET /api/commands',
      summary: 'Lists the slash commands.',
      tag: 'commands',
      permission: 'server.read',
      schema: listing,
      handle: () => ({ commands: slash.list() }),
    },
    {
      key: 'POST /api/commands',
      summary: 'Runs a slash command and answers what it says.',
      tag: 'commands',
      permission: 'chats.write',
      schema: running,
      async handle({ body: { name, args = '', chatId }, principal }) {
        const chat = await chatOf(chatId);
        const from = principal ? { principal } : {};
        const context = { chatId: chat.chatId, workspaceRoot: chat.workspaceRoot, args, ...from };
        const answer = await slash.answer(name, context);
        if (typeof answer === 'string') return { text: answer };
        const sent = await submit({ chatId: chat.chatId, text: `/${name} ${args}`.trim(), whenBusy: 'queue', ...from });
        return sent ? { text: '', turnId: sent.turnId } : { text: await slash.run(name, context) };
      },
    },
  ];
}
