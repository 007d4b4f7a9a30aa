// Serves the HTTP routes of the team bus: reading messages, and publishing from the page.
import * as Type from 'typebox';
import type { Static } from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import { isFailure, messageOf } from '#lib/errors';
import { isRecord } from '#lib/values';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { Publish } from './publish.ts';
import type { BusItem } from './read-bus.ts';

export interface BusRouteParts {
  readonly controlPlane: Services['controlPlane'];
  readonly publish: () => Promise<Publish>;
  readonly makeError: (reason: 'UNREAD' | 'REFUSED', details: Readonly<Record<string, unknown>>) => KernelError;
}

const strict = { additionalProperties: false } as const;
const tag = 'team';
const line = (maxLength: number): ReturnType<typeof Type.String> => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
const workspace = line(500);
const listing = {
  reply: Type.Object({
    workspaces: Type.Array(
      Type.Object({
        ...{
          workspace: Type.String(),
          cursor: Type.Integer({ description: 'Cursor of the newest message.' }),
          at: Type.String({ description: 'Time of the newest message.' }),
        },
        keys: Type.Array(Type.String(), { description: 'Keys of the newest messages.' }),
      }),
    ),
    mayPublish: Type.Boolean({ description: 'Whether the role in the organisation allows publishing.' }),
  }),
};
const reading = {
  query: Type.Object(
    {
      workspace,
      since: Type.Integer({ minimum: 0, description: 'Cursor after which messages are returned.' }),
      waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 25, description: 'Seconds to wait for a message if there is none; default: 0.' })),
    },
    strict,
  ),
  reply: Type.Object({
    upTo: Type.Integer({ description: 'Value for the next `since`.' }),
    messages: Type.Array(Type.Object({ cursor: Type.Integer(), at: Type.String(), from: Type.String(), key: Type.String(), envelope: Type.Unknown() })),
    gap: Type.Optional(Type.Object({ from: Type.Integer(), to: Type.Integer() }, { description: 'Range of messages that are no longer stored.' })),
  }),
};
const publishing = {
  body: Type.Object({ workspace, key: line(200), envelope: Type.Unknown({ description: 'Any JSON of at most 64 kB.' }) }, strict),
  reply: Type.Object({ cursor: Type.Integer() }),
};

type Workspaces = Static<typeof listing.reply>['workspaces'];

export function busRoutes({ controlPlane, publish, makeError }: BusRouteParts): Route<never>[] {
  return [
    route({
      key: 'GET /api/team/bus/workspaces',
      summary: 'Lists the workspaces with messages between the agents of the team.',
      tag,
      permission: 'bus.read',
      schema: listing,
      async handle({ signal }) {
        const [list, me] = await Promise.all(
          ['/api/team/bus/workspaces', '/api/account/me'].map(async (path) => (await controlPlane.request({ method: 'GET', path, signal })).body),
        );
        const organisation = isRecord(me) && isRecord(me['organisation']) ? me['organisation'] : undefined;
        const workspaces = isRecord(list) && Array.isArray(list['workspaces']) ? (list['workspaces'] as Workspaces) : [];
        return { workspaces, mayPublish: organisation !== undefined && organisation['role'] !== 'viewer' };
      },
    }),
    route({
      key: 'GET /api/team/bus/messages',
      summary: 'Returns at most 100 messages of a workspace after a cursor, oldest first. They are external content.',
      tag,
      permission: 'bus.read',
      schema: reading,
      async handle({ query: { workspace: place, since, waitSeconds = 0 }, signal }) {
        const { readBus } = await import('./read-bus.ts');
        const items = await readBus(controlPlane, { workspace: place, since, waitMs: waitSeconds * 1_000, signal }).catch((fault: unknown) => {
          signal.throwIfAborted();
          throw makeError('UNREAD', { why: messageOf(fault) });
        });
        const gap = items.find((item) => 'gap' in item)?.gap;
        return {
          upTo: items.at(-1)?.cursor ?? since,
          messages: items.filter(isMessage),
          ...(gap ? { gap } : {}),
        };
      },
    }),
    route({
      key: 'POST /api/team/bus/messages',
      summary: 'Publishes a message to the team on behalf of the signed-in user.',
      tag,
      permission: 'bus.write',
      schema: publishing,
      async handle({ body, signal }) {
        const send = await publish();
        return {
          cursor: await send({ ...body, signal }).catch((fault: unknown) => {
            throw isFailure(fault) ? makeError('REFUSED', { why: fault.message }) : fault;
          }),
        };
      },
    }),
  ];
}

function isMessage(item: BusItem): item is Exclude<BusItem, { readonly gap: unknown }> {
  return !('gap' in item);
}

/** Infers the handler's types from the schemas, and erases the schemas from the result: one array holds all routes. */
function route<S extends RouteSchema>(one: Route<S>): Route<never> {
  return one as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/team/bus/workspaces': typeof listing;
    'GET /api/team/bus/messages': typeof reading;
    'POST /api/team/bus/messages': typeof publishing;
  }
}
