// Serves routes and a slash command that list turns waiting for a provider, and retry at once.
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
  reason: Type.String({ description: 'Failure of the provider.' }),
  isLimit: Type.Boolean({ description: 'It limits how often it is asked; else it failed.' }),
  until: Type.String({ description: 'ISO 8601: when it is asked again.' }),
});
const listing = {
  query: Type.Object(
    { chatId: Type.Optional(Type.String({ description: 'A chat, or `all`; the active chat when left out.' })) },
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
  /** Returns `undefined` without the chats plugin. */
  chats(): Pick<Chats, 'activeId' | 'get'> | undefined;
  notWaiting(): Error;
}

export function retryRoutes({ models, chats, notWaiting }: RetryParts): [Route<typeof listing>, Route<typeof ending>] {
  /** Returns `undefined` if there is no chat yet. */
  const idOf = async (chatId: string | undefined): Promise<string | undefined> =>
    chatId === undefined ? chats()?.activeId : ((await chats()?.get(chatId))?.chatId ?? chatId);
  return [
    {
      key: 'GET /api/session/retries',
      summary: 'The turns that wait before they ask the model provider again, why, and until when.',
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
      summary: 'Sends the request to the model provider again at once, if a turn waits for a retry.',
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
    summary: 'Retries the model call now instead of waiting.',
    permission: 'chats.write',
    isImmediate: true,
    run({ chatId }) {
      if (!models.retryNow(chatId)) throw notWaiting();
      return 'The model is asked again now.';
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/session/retries': typeof listing;
    'POST /api/session/retry': typeof ending;
  }
}
