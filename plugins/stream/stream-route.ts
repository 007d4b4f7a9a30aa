// `GET /api/stream`: which chat, from which event on, and the first frame.
import * as Type from 'typebox';
import type { Services } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import { encodeNoticeJson, type View } from './batch.ts';
import { openSocketWriter } from './socket-writer.ts';
import type { Readers } from './readers.ts';

const query = Type.Object({
  chatId: Type.Optional(Type.String({ description: 'A chat, or `all`; left out: whichever chat is the active one.' })),
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'Replays everything later than this event; 0 replays the chat.' })),
});

type StreamServices = Pick<Services, 'eventLog' | 'chats' | 'product'>;

/** @param services @param readers both asked for at each request, not before */
export function createStreamRoute(services: StreamServices, readers: () => Readers): Route {
  const route: Route<{ query: typeof query }> = {
    key: 'GET /api/stream',
    isCompiledEarly: true,
    summary: 'Sends the events of a chat as they happen (server-sent events).',
    tag: 'stream',
    permission: 'chats.read',
    schema: { query },
    isRaw: true,
    mediaType: 'text/event-stream',
    async handle({ query: { chatId, since }, headers, reply }) {
      const view = await viewOf(chatId, services);
      const from = lastEventId(headers['last-event-id']) ?? since;
      readers().add(view, () => openSocketWriter(reply, firstMessage(view, services)), from);
    },
  };
  return route;
}

async function viewOf(chatId: string | undefined, { chats }: StreamServices): Promise<View> {
  if (chatId === 'all') return { kind: 'all' };
  const found = await chats.peek(chatId);
  // The active chat may have changed while the answer came.
  return chatId === undefined ? { kind: 'follow', chatId: chats.activeId ?? found.chatId } : { kind: 'chat', chatId: found.chatId };
}

/** What the browser sends when it connects again; it knows better than the address. A text that is no id asks for what cannot be replayed. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

function firstMessage(view: View, { eventLog, product }: StreamServices): string {
  const chatId = view.kind === 'all' ? null : view.chatId;
  return encodeNoticeJson('connected', { chatId, serverVersion: product.version, cursor: eventLog.cursor });
}
