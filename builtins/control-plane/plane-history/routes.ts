// Serves the HTTP routes of the session history: upload, search, read, list and remove chats.
import * as Type from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import type { Principal, Route, RouteSchema } from 'agent-harness/plugins/http';
import type { SessionOwner, SessionStore } from './session-store.ts';

export type HistoryError = 'CHUNK_CONFLICT' | 'CHUNK_MISSING' | 'INVALID_REQUEST' | 'TOO_LARGE' | 'NOT_FOUND';

export interface HistoryRouteParts {
  readonly people: Services['people'];
  readonly store: SessionStore;
  readonly makeError: (reason: HistoryError, details?: Readonly<Record<string, unknown>>) => KernelError;
}

/** Maximum number of lines in a chunk. */
const chunkLines = 2_000;
/** Maximum length of a line in UTF-16 code units. */
const lineLength = 200_000;
const strict = { additionalProperties: false } as const;
const sessionId = Type.String({ pattern: '^[\\w.-]{1,128}$' });

const posting = {
  body: Type.Object(
    {
      sessionId,
      seq: Type.Integer({ minimum: 0, description: 'Sequence number of the chunk, from 0.' }),
      lines: Type.Array(Type.String()),
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the lines joined by LF.' }),
    },
    strict,
  ),
  reply: Type.Object({ stored: Type.Integer(), total: Type.Integer() }),
};
const reading = {
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description: 'Words to search for; supports "a phrase", or, and -excluded.' })),
      sessionId: Type.Optional(sessionId),
      cursor: Type.Optional(
        Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,15})?$', description: 'Cursor from the previous page; for a session, a line number.' }),
      ),
    },
    strict,
  ),
  reply: Type.Object({
    hits: Type.Optional(Type.Array(Type.Object({ sessionId: Type.String(), line: Type.Integer(), at: Type.String(), excerpt: Type.String() }))),
    lines: Type.Optional(Type.Array(Type.String())),
    total: Type.Optional(Type.Integer()),
    nextSeq: Type.Optional(Type.Integer()),
    cursor: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  }),
};
const listing = {
  query: Type.Object({ cursor: Type.Optional(Type.String({ pattern: '^\\d{1,15}\\.\\d{1,15}$', description: 'Cursor from the previous page.' })) }, strict),
  reply: Type.Object({
    sessions: Type.Array(Type.Object({ sessionId: Type.String(), lines: Type.Integer(), at: Type.String({ description: 'Time of the last upload.' }) })),
    cursor: Type.Optional(Type.String()),
  }),
};
const removing = {
  query: Type.Object({ sessionId: Type.Optional(sessionId) }, strict),
  reply: Type.Object({ removed: Type.Integer() }),
};

export function historyRoutes({ people, store, makeError }: HistoryRouteParts): Route<never>[] {
  // Sessions belong to the user, whatever their role in the organisation.
  const shared = { tag: 'pro', entitlement: 'pro.session_history', permission: 'own_sessions.read' } as const;
  const ownerOf = (principal: Principal | undefined): SessionOwner => {
    const { org, person } = people.member(principal);
    return { orgId: org.id, userId: person.id };
  };
  return [
    route({
      ...shared,
      key: 'POST /api/pro/session_history',
      summary: 'Stores the next chunk of a session. A repeated chunk is stored once.',
      schema: posting,
      bodyLimit: 8 * 1024 * 1024,
      async handle({ body, principal }) {
        const { lines } = body;
        if (lines.length > chunkLines) throw makeError('TOO_LARGE', { what: 'the number of lines in a chunk', limit: chunkLines });
        if (lines.some((line) => line.length > lineLength)) throw makeError('TOO_LARGE', { what: 'the length of a line', limit: lineLength });
        // A line break would start another line; the database cannot store NUL or an unpaired surrogate.
        if (lines.some((line) => /[\n\u0000\p{Cs}]/u.test(line)))
          throw makeError('INVALID_REQUEST', { why: 'a line contains a line break, NUL, or half of a surrogate pair.' });
        if (sha256(lines.join('\n')) !== body.sha256) throw makeError('INVALID_REQUEST', { why: 'sha256 does not match the lines.' });
        const answer = await store.append(ownerOf(principal), body);
        if (answer.what === 'conflict') throw makeError('CHUNK_CONFLICT', { seq: body.seq });
        if (answer.what === 'gap') throw makeError('CHUNK_MISSING', { nextSeq: answer.nextSeq });
        return { stored: answer.stored, total: answer.total };
      },
    }),
    route({
      ...shared,
      key: 'GET /api/pro/session_history',
      summary: 'Searches lines by words, or reads a session.',
      schema: reading,
      async handle({ query: { q, sessionId: chosen, cursor }, principal }) {
        const owner = ownerOf(principal);
        if ((q === undefined) === (chosen === undefined)) throw makeError('INVALID_REQUEST', { why: 'set either q or sessionId.' });
        if (chosen === undefined) return store.search(owner, q ?? '', cursor);
        const page = await store.read(owner, chosen, Number(cursor ?? 0) || 0);
        if (!page) throw makeError('NOT_FOUND', { sessionId: chosen });
        return { ...page, lines: [...page.lines] };
      },
    }),
    route({
      ...shared,
      key: 'GET /api/pro/session_history/sessions',
      summary: 'Lists the stored sessions of the person, most recently extended first.',
      schema: listing,
      handle: ({ query: { cursor }, principal }) => store.list(ownerOf(principal), cursor),
    }),
    route({
      ...shared,
      key: 'DELETE /api/pro/session_history',
      summary: 'Removes one session, or all sessions of the person, from this control plane.',
      schema: removing,
      handle: async ({ query, principal }) => ({ removed: await store.remove(ownerOf(principal), query.sessionId) }),
    }),
  ];
}

/** Checks each route against its own schema, then erases the schema from the type so that routes fit into one array. */
function route<S extends RouteSchema>(one: Route<S>): Route<never> {
  return one as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/pro/session_history': typeof reading;
    'GET /api/pro/session_history/sessions': typeof listing;
    'DELETE /api/pro/session_history': typeof removing;
  }
}
