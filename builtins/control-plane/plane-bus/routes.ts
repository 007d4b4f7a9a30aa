// Serves the HTTP routes of the team bus: publish, list workspaces, subscribe.
import * as Type from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import { openEventStream } from '#lib/event-stream';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { BusFeeds } from './bus-feeds.ts';
import type { BusLog } from './bus-log.ts';
import { startBusReader } from './bus-reader.ts';

export interface BusRouteParts {
  readonly log: BusLog;
  readonly feeds: BusFeeds;
  readonly services: Pick<Services, 'people'>;
  readonly makeError: (reason: 'TOO_LARGE' | 'INVALID_REQUEST' | 'MUTATION_REUSED', details: Readonly<Record<string, unknown>>) => KernelError;
  readonly onFault: (fault: unknown) => void;
}

/** Maximum size of an envelope in bytes. */
export const envelopeBytes = 65_536;
const strict = { additionalProperties: false } as const;
const tag = 'team';
const line = (maxLength: number): ReturnType<typeof Type.String> => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
const workspace = line(500);

const publishing = {
  body: Type.Object(
    {
      workspace,
      key: line(200),
      envelope: Type.Unknown({ description: `Any JSON of at most ${envelopeBytes} bytes.` }),
      clientId: line(100),
      mutationId: Type.Union([Type.Integer({ minimum: 0 }), line(100)], {
        description: 'Id of the publication. A message with the same id from the same client is published once.',
      }),
    },
    strict,
  ),
  reply: Type.Object({ cursor: Type.Integer({ description: 'Cursor of the message; counts up from 1 in each workspace.' }) }),
};

const subscribing = {
  query: Type.Object(
    { workspace, since: Type.Optional(Type.Integer({ minimum: 0, description: 'Cursor after which messages are sent; default: only new messages.' })) },
    strict,
  ),
};

/** Maximum number of listed workspaces. */
const maxWorkspaces = 200;
const listing = {
  reply: Type.Object({
    workspaces: Type.Array(
      Type.Object({
        workspace: Type.String(),
        cursor: Type.Integer({ description: 'Cursor of the newest message.' }),
        messages: Type.Integer({ description: 'Number of stored messages.' }),
        at: Type.String({ description: 'Time of the newest message, ISO 8601.' }),
        keys: Type.Array(Type.String(), { description: 'Keys of the newest messages.' }),
      }),
    ),
  }),
};

export function busRoutes({ log, feeds, services, makeError, onFault }: BusRouteParts): Route<never>[] {
  return [
    route({
      key: 'POST /api/team/bus/publish',
      summary: 'Publishes a message to the organisation, and returns its cursor after the commit.',
      tag,
      permission: 'bus.write',
      entitlement: 'team.shared_memory',
      schema: publishing,
      async handle({ body, principal }) {
        const { person, org } = services.people.member(principal);
        const envelope = JSON.stringify(body.envelope);
        if (Buffer.byteLength(envelope) > envelopeBytes) throw makeError('TOO_LARGE', { limit: envelopeBytes });
        const place = { orgId: org.id, workspace: body.workspace };
        const published = await log.publish({
          ...place,
          ...{ key: body.key, envelope, clientId: body.clientId, mutationId: String(body.mutationId) },
          from: { userId: person.id, name: principal?.name ?? person.email },
        });
        if (!published) throw makeError('MUTATION_REUSED', { mutationId: body.mutationId });
        if (published.message) feeds.announce(place, published.message);
        return { cursor: published.cursor };
      },
    }),
    route({
      key: 'GET /api/team/bus/workspaces',
      summary: `Lists at most ${maxWorkspaces} workspaces with messages on the bus, most recent message first.`,
      tag,
      permission: 'bus.read',
      entitlement: 'team.shared_memory',
      schema: listing,
      async handle({ principal }) {
        const found = await log.workspaces(services.people.member(principal).org.id, maxWorkspaces);
        return { workspaces: found.map((one) => ({ ...one, at: one.at.toISOString(), keys: [...one.keys] })) };
      },
    }),
    route({
      key: 'GET /api/team/bus/subscribe',
      summary: 'Streams the messages of a workspace as server-sent events, each once and in order.',
      tag,
      permission: 'bus.read',
      entitlement: 'team.shared_memory',
      schema: subscribing,
      isRaw: true,
      mediaType: 'text/event-stream',
      async handle({ query, headers, principal, reply }) {
        const { people } = services;
        const member = people.member(principal);
        const since = lastEventId(headers['last-event-id']) ?? query.since;
        const feed = await feeds.open({ orgId: member.org.id, workspace: query.workspace });
        if (since !== undefined && !(since <= feed.position))
          throw makeError('INVALID_REQUEST', { why: `the workspace has no message with the cursor '${since}'.` });
        const access = people.watchAccess(member);
        const stream = openEventStream(reply);
        stream.signal.addEventListener('abort', () => void access.dispose(), { once: true });
        access.signal.addEventListener('abort', () => stream.end(), { once: true });
        if (access.signal.aborted) return stream.end();
        startBusReader(feed, stream, since ?? feed.position, onFault);
      },
    }),
  ];
}

/** Returns the cursor of a reconnecting client, which takes precedence over the query; `NaN` for an invalid cursor. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (text === '') return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/team/bus/workspaces': typeof listing;
  }
}
