// Serves `GET /api/context`, which returns the context usage of a chat by part.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { ContextView, ViewedChat } from './on-demand.ts';

const tokens = Type.Integer({ minimum: 0 });
const schema = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'Default: the active chat.' })) }, { additionalProperties: false }),
  reply: Type.Object({
    used: Type.Integer({ minimum: 0, description: 'Estimated tokens of the next request, from the last count of the provider.' }),
    limit: Type.Integer({ minimum: 0, description: 'Context size of the chat’s model in tokens.' }),
    parts: Type.Object(
      {
        system: Type.Optional(
          Type.Integer({ minimum: 0, description: 'System prompt; omitted, like `memory`, before the first request after the server started.' }),
        ),
        memory: Type.Optional(tokens),
        ...{ tools: tokens, conversation: tokens },
      },
      { description: 'Parts of the request; their sum is `used`.' },
    ),
    compactsAt: Type.Integer({ minimum: 0, description: 'Number of tokens at which older rounds are shortened automatically.' }),
    compactsTo: Type.Optional(Type.Integer({ minimum: 0, description: 'Tokens after `/compact`; omitted if nothing can be shortened.' })),
  }),
};

/** @param parts.view returns the context usage of a chat */
export function contextRoute({ chats, view }: { readonly chats: Chats; view(chat: ViewedChat): Promise<ContextView> }): Route<typeof schema> {
  return {
    key: 'GET /api/context',
    summary: 'Returns the context usage of a chat by part, and the size after shortening.',
    tag: 'session',
    permission: 'chats.read',
    schema,
    handle: async ({ query }) => view(await chats.peek(query.chatId)),
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/context': typeof schema;
  }
}
