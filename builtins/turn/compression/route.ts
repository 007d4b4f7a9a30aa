// Serves `GET /api/context`: the context usage of a chat, by part.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { ContextView, ViewedChat } from './on-demand.ts';

const tokens = Type.Integer({ minimum: 0 });
const schema = {
  query: Type.Object({ chatId: Type.Optional(Type.String({ description: 'The active chat when left out.' })) }, { additionalProperties: false }),
  reply: Type.Object({
    used: Type.Integer({ minimum: 0, description: 'Tokens of the next request as it stands; estimated from what the provider counted last.' }),
    limit: Type.Integer({ minimum: 0, description: 'Tokens that the model of the chat takes.' }),
    parts: Type.Object(
      {
        system: Type.Optional(Type.Integer({ minimum: 0, description: 'Left out, with `memory`, before the first request since the start of the server.' })),
        memory: Type.Optional(tokens),
        ...{ tools: tokens, conversation: tokens },
      },
      { description: 'They add up to `used`.' },
    ),
    compactsAt: Type.Integer({ minimum: 0, description: 'From so many tokens on older rounds are shortened by themselves.' }),
    compactsTo: Type.Optional(Type.Integer({ minimum: 0, description: 'What `/compact` would bring it down to; left out where there is nothing to shorten.' })),
  }),
};

/** @param parts.view returns the context usage of the chat */
export function contextRoute({ chats, view }: { readonly chats: Chats; view(chat: ViewedChat): Promise<ContextView> }): Route<typeof schema> {
  return {
    key: 'GET /api/context',
    summary: 'How full the context of a chat is, by what, and what shortening it would bring.',
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
