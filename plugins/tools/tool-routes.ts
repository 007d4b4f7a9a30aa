// GET /api/tools.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { ToolRow } from './contract.ts';

const rowSchema = Type.Object({
  name: Type.String(),
  family: Type.String(),
  plugin: Type.String(),
  description: Type.String(),
  effects: Type.Array(Type.String()),
  visible: Type.Boolean({ description: 'Whether the model sees it in this chat now.' }),
});
const schema = {
  query: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
  reply: Type.Object({ tools: Type.Array(rowSchema) }),
};

export function listToolsRoute(rows: (chatId?: string) => ToolRow[], services: { readonly chats: Chats }): Route<typeof schema> {
  return {
    key: 'GET /api/tools',
    summary: 'Every tool, with its effects and whether the model sees it in a chat.',
    tag: 'tools',
    schema,
    async handle({ query }) {
      const chatId = query.chatId === undefined ? services.chats.activeId : (await services.chats.get(query.chatId)).chatId;
      return { tools: rows(chatId).map((row) => ({ ...row, effects: [...row.effects] })) };
    },
  };
}
