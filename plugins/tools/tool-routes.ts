// Serves GET /api/tools: lists the tools, and whether the requests of a chat contain them.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { RegisteredTool, ToolRow } from './contract.ts';

const rowSchema = Type.Object({
  name: Type.String(),
  family: Type.String(),
  plugin: Type.String(),
  description: Type.String(),
  effects: Type.Array(Type.String()),
  visible: Type.Boolean({ description: 'Whether the requests of this chat currently contain the tool.' }),
  input: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the arguments, if requested.' })),
});
const schema = {
  query: Type.Object(
    {
      chatId: Type.Optional(Type.String()),
      schemas: Type.Optional(Type.Boolean({ description: 'Includes the schema of the arguments of each tool.' })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ tools: Type.Array(rowSchema) }),
};

export interface ListedTools {
  rows(chatId?: string): ToolRow[];
  find(name: string): RegisteredTool | undefined;
}

export function listToolsRoute(tools: ListedTools, services: { readonly chats: Chats }): Route<typeof schema> {
  return {
    key: 'GET /api/tools',
    summary: 'Lists the tools with their effects, and whether the requests of a chat contain them.',
    tag: 'tools',
    permission: 'tools.read',
    schema,
    async handle({ query }) {
      const chatId = query.chatId === undefined ? services.chats.activeId : (await services.chats.get(query.chatId)).chatId;
      const inputOf = (name: string): object => (query.schemas === true ? { input: tools.find(name)?.input ?? {} } : {});
      return { tools: tools.rows(chatId).map((row) => ({ ...row, effects: [...row.effects], ...inputOf(row.name) })) };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/tools': typeof schema;
  }
}
