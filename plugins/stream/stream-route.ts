// Serves `GET /api/stream`: the events of a chat as server-sent events.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { Stream } from 'agent-harness/plugins/stream';
import { openResponse, serverSent } from './server-sent.ts';

const query = Type.Object({
  chatId: Type.Optional(Type.String({ description: 'Id of a chat, or `all`; default: the active chat, also after it changes.' })),
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'Id of an event: replays all later events. 0 replays the whole chat.' })),
});

export function createStreamRoute(read: Stream['read']): Route {
  const route: Route<{ query: typeof query }> = {
    key: 'GET /api/stream',
    isCompiledEarly: true,
    summary: 'Sends the events of a chat as they happen (server-sent events).',
    tag: 'stream',
    permission: 'chats.read',
    schema: { query },
    isRaw: true,
    mediaType: 'text/event-stream',
    async handle({ query: { chatId, since }, headers, principal, reply }) {
      await read({ rights: principal ?? noRights, chatId, since: lastEventId(headers['last-event-id']) ?? since }, serverSent, () => openResponse(reply));
    },
  };
  return route;
}

/** Rights of a request without a principal, which the route does not accept. */
const noRights = { role: 'viewer', areas: [] } as const;

/** Returns the last event id of a reconnecting browser, which overrides the URL. An invalid id is treated as an id from which no replay is possible. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/stream': { query: typeof query };
  }
}
