// Provides the routes and the slash command that list turns waiting to retry a model request, and that retry immediately.
import * as Type from 'typebox';
import type { Chats } from 'agent-harness/plugins/chats';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Route } from 'agent-harness/plugins/http';
import type { Models } from './contract.ts';

const row = Type.Object({
  chatId: Type.String(),
  turnId: Type.String(),
  attempt: Type.Integer(),
  of: Type.Integer(),
  reason: Type.String({ description: 'Reason why the request failed.' }),
  isLimit: Type.Boolean({ description: '`true` for a rate limit of the provider, `false` for a failure.' }),
  until: Type.String({ description: 'Time of the next attempt, ISO 8601.' }),
});
const listing = {
  query: Type.Object(
    { chatId: Type.Optional(Type.String({ description: 'Id of a chat, or `all`; default: the active chat.' })) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ retries: Type.Array(row) }),
};
const ending = {
  body: Type.Object({ chatId: Type.Optional(Type.String()) }, { additionalProperties: false }),
  reply: Type.Object({ ok: Type.Literal(true) }),
};

export interface RetryParts {
  readonly models: Pick<Models, 'retryWaits' | 'retryNow'>;
  /** Returns the `chats` service; `undefined` if its plugin is not active. */
  chats(): Pick<Chats, 'activeId' | 'get'> | undefined;
  notWaiting(): Error;
}

export function retryRoutes({ models, chats, notWaiting }: RetryParts): [Route<typeof listing>, Route<typeof ending>] {
  /** Returns the id of the chat to use; `undefined` if no chat exists. */
  const idOf = async (chatId: string | undefined): Promise<string | undefined> =>
    chatId === undefined ? chats()?.activeId : ((await chats()?.get(chatId))?.chatId ?? chatId);
  return [
    {
      key: 'GET /api/session/retries',
      summary: 'Lists the turns that wait to retry a model request, with the reason and the time of the next attempt.',
      tag: 'session',
      permission: 'chats.read',
      schema: listing,
      async handle({ query }) {
        if (query.chatId === 'all') return { retries: models.retryWaits() };
        const chatId = await idOf(query.chatId);
        return { retries: chatId === undefined ? [] : models.retryWaits(chatId) };
      },
    },
    {
      key: 'POST /api/session/retry',
      command: 'retry_now',
      summary: 'Retries a waiting model request at once.',
      tag: 'session',
      permission: 'chats.write',
      schema: ending,
      async handle({ body }) {
        const chatId = await idOf(body.chatId);
        if (chatId === undefined || !models.retryNow(chatId)) throw notWaiting();
        return { ok: true };
      },
    },
  ];
}

export function retryCommand({ models, notWaiting }: Pick<RetryParts, 'models' | 'notWaiting'>): SlashCommand {
  return {
    name: 'retry',
    summary: 'Retries a waiting model request at once.',
    permission: 'chats.write',
    isImmediate: true,
    run({ chatId }) {
      if (!models.retryNow(chatId)) throw notWaiting();
      return 'The model request is sent again now.';
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/session/retries': typeof listing;
    'POST /api/session/retry': typeof ending;
  }
}
