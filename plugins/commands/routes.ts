// Registers the routes that list and run commands.
import * as Type from 'typebox';
import type { SubmitMessage } from 'agent-harness/plugins/agent';
import type { ChatMeta } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { View } from 'agent-harness/plugins/views';
import { textOf, type SlashCommands } from './slash-commands.ts';

const command = Type.Object({
  name: Type.String(),
  summary: Type.String(),
  usage: Type.Optional(Type.String()),
  places: Type.Optional(
    Type.Array(
      Type.Object({
        label: Type.String(),
        isWhole: Type.Boolean({ description: '`true`: takes the rest of the line; `false`: takes one word, or several in double quotes.' }),
      }),
      {
        description: 'Arguments of the command, in order.',
      },
    ),
  ),
  isSecret: Type.Optional(
    Type.Boolean({ description: 'The output may be secret. Run the command with `POST /api/commands`, because a message would be stored.' }),
  ),
  isImmediate: Type.Optional(
    Type.Boolean({
      description: 'The command acts on the running turn. Run it with `POST /api/commands`, because a message would wait for the end of the turn.',
    }),
  ),
});
const listing = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' })) }, { additionalProperties: false }),
  reply: Type.Object({ commands: Type.Array(command) }),
};
const running = {
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 32, description: 'Name of the command, without the slash.' }),
      args: Type.Optional(Type.String({ maxLength: 100_000 })),
      chatId: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    text: Type.String(),
    view: Type.Optional(Type.Unsafe<View>({ description: 'The same content as a view, in the format of `GET /api/views/:name`.' })),
    turnId: Type.Optional(Type.String({ description: 'Id of the turn in which a command that calls tools runs. Such a command is sent as a message.' })),
  }),
};

export interface RouteParts {
  chatOf(chatId?: string): Promise<ChatMeta>;
  /** Returns the id of the active chat; `undefined` if there is no chat yet. */
  activeId(): string | undefined;
  readCommandFiles(workspaceRoot?: string): Promise<unknown>;
  /** Sends a message; returns `undefined` if there is no agent. */
  submit(message: SubmitMessage): Promise<{ readonly turnId: string }> | undefined;
}

export function listRoutes(slash: SlashCommands, { chatOf, activeId, readCommandFiles, submit }: RouteParts): [Route<typeof listing>, Route<typeof running>] {
  return [
    {
      key: 'GET /api/commands',
      summary: 'Lists the slash commands that the caller may run in a chat.',
      tag: 'commands',
      permission: 'server.read',
      schema: listing,
      async handle({ query: { chatId = activeId() } = {}, principal }) {
        const workspaceRoot = chatId === undefined ? undefined : (await chatOf(chatId)).workspaceRoot;
        await readCommandFiles(workspaceRoot);
        return { commands: slash.list(workspaceRoot, principal) };
      },
    },
    {
      key: 'POST /api/commands',
      command: 'slash_command',
      summary: 'Runs a slash command and returns its output.',
      tag: 'commands',
      permission: 'chats.write',
      schema: running,
      async handle({ body: { name, args = '', chatId }, principal }) {
        const chat = await chatOf(chatId);
        await readCommandFiles(chat.workspaceRoot);
        const from = principal ? { principal } : {};
        const context = { chatId: chat.chatId, workspaceRoot: chat.workspaceRoot, args, ...from };
        const answer = await slash.answer(name, context);
        const text = textOf(answer);
        if (text !== undefined) return { text, ...(typeof answer === 'object' && 'view' in answer && answer.view ? { view: answer.view } : {}) };
        const sent = await submit({ chatId: chat.chatId, text: `/${name} ${args}`.trim(), whenBusy: 'queue', ...from });
        return sent ? { text: '', turnId: sent.turnId } : { text: await slash.run(name, context) };
      },
    },
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/commands': typeof listing;
    'POST /api/commands': typeof running;
  }
}
