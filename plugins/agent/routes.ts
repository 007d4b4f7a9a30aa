// Registers the routes for messages, abort, reset and status.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { Registry } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import type { OwnedTurns } from './turns.ts';
import type { manifest } from './manifest.ts';

/** The request for the greeting that begins a conversation. */
const greeting = { text: 'Greet the user.', origin: { plugin: 'agent', reason: 'The conversation begins anew.' } };

const closed = { additionalProperties: false };
const chatId = Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' }));

const message = {
  body: Type.Object(
    {
      text: Type.String(),
      attachments: Type.Optional(Type.Array(Type.Object({ name: Type.String({ maxLength: 1000 }), dataUrl: Type.String() }, closed))),
      clientId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      whenBusy: Type.Optional(Type.Union([Type.Literal('reject'), Type.Literal('queue'), Type.Literal('steer')])),
      liveDictation: Type.Optional(Type.Boolean()),
      chatId,
    },
    closed,
  ),
  reply: Type.Object({ turnId: Type.String(), messageId: Type.String(), chatId: Type.String(), queued: Type.Boolean() }),
};
const abort = {
  body: Type.Object({ chatId }, closed),
  reply: Type.Object({
    ok: Type.Literal(true),
    turnId: Type.String(),
    stopped: Type.Array(Type.String()),
    unqueued: Type.Array(Type.String(), {
      description: 'Ids of turns whose messages were queued behind the aborted turn; they end as `aborted` without reaching the model.',
    }),
  }),
};
const takeBack = {
  body: Type.Object({ turnId: Type.String(), chatId }, closed),
  reply: Type.Object({ ok: Type.Literal(true) }),
};
const reset = {
  body: Type.Object({ mode: Type.Union([Type.Literal('soft'), Type.Literal('hard')]), greet: Type.Optional(Type.Boolean()), chatId }, closed),
  reply: Type.Object({ ok: Type.Literal(true), mode: Type.String() }),
};
const chatStatus = Type.Object({
  chatId: Type.String(),
  busy: Type.Boolean(),
  turnId: Type.Optional(Type.String()),
  waitingFor: Type.Optional(oneOf(['model', 'tool', 'approval', 'answer', 'retry'])),
  since: Type.String({ description: 'Time (ISO 8601) at which the current wait or the idle time began.' }),
});
const status = {
  reply: Type.Object({
    busy: Type.Boolean(),
    lastTurnEndedAt: Type.Optional(Type.String()),
    activeChatId: Type.Union([Type.String(), Type.Null()]),
    chats: Type.Array(chatStatus),
  }),
};

/** Maximum size of a request with a message, in bytes. Allows 64 MB of attachments (86 MB in base64), or a text that consists of escaped characters. */
const messageBodyLimit = 96 * 1024 * 1024;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the list contains routes with different schemas
export function createRoutes(registry: Registry<typeof manifest>, turns: OwnedTurns): Route<any>[] {
  const { chats } = registry.services;
  const tag = 'session';
  return [
    {
      key: 'POST /api/message',
      command: 'send_message',
      summary: 'Sends a message to the agent. Replies after the message is stored on disk.',
      tag,
      permission: 'chats.write',
      schema: message,
      status: 202,
      bodyLimit: messageBodyLimit,
      waitsForReady: true,
      isCompiledEarly: true,
      handle: ({ body, principal }) => turns.submit({ ...body, ...(principal ? { principal } : {}) }),
    } satisfies Route<typeof message>,
    {
      key: 'POST /api/session/abort',
      command: 'abort',
      summary: 'Aborts the running turn and withdraws the queued messages. Replies after all processes of the turn have ended.',
      tag,
      permission: 'chats.write',
      schema: abort,
      handle: async ({ body }) => ({ ok: true as const, ...(await turns.abort(body.chatId)) }),
    } satisfies Route<typeof abort>,
    {
      key: 'POST /api/message/take-back',
      command: 'take_back_message',
      summary: 'Withdraws one message that is queued behind the running turn.',
      tag,
      permission: 'chats.write',
      schema: takeBack,
      async handle({ body: { turnId, chatId } }) {
        await turns.takeBack(turnId, chatId);
        return { ok: true as const };
      },
    } satisfies Route<typeof takeBack>,
    {
      key: 'POST /api/session/reset',
      command: 'reset',
      summary: 'Resets the conversation (soft), or also the data that plugins derived from it (hard).',
      tag,
      permission: 'chats.manage',
      schema: reset,
      takesSections: true,
      async handle({ body, principal }) {
        const chat = await chats.get(body.chatId);
        await turns.reset(chat.chatId, body.mode);
        if (body.greet) await turns.submit({ chatId: chat.chatId, ...greeting, ...(principal ? { principal } : {}) });
        return { ok: true as const, mode: body.mode };
      },
    } satisfies Route<typeof reset>,
    {
      key: 'GET /api/status',
      summary: 'Returns whether each chat is busy or idle, and the event that a busy chat waits for.',
      tag,
      permission: 'server.read',
      schema: status,
      takesSections: true,
      handle: () => ({
        busy: turns.isBusy(),
        ...(turns.lastTurnEndedAt === undefined ? {} : { lastTurnEndedAt: turns.lastTurnEndedAt }),
        activeChatId: chats.activeId ?? null,
        chats: turns.statuses(),
      }),
    } satisfies Route<typeof status>,
  ];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /api/message': typeof message;
    'POST /api/session/abort': typeof abort;
    'POST /api/message/take-back': typeof takeBack;
    'POST /api/session/reset': typeof reset;
    'GET /api/status': typeof status;
  }
}
