// Serves the routes for hosts of relayed remote sessions: open sessions, post encrypted frames, receive guests' inputs.
import * as Type from 'typebox';
import { tunnelVersion } from '#lib/tunnel-codec';
import type { Services } from 'agent-harness/kernel';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { ChannelStore, KnownGuest } from './channel-store.ts';
import type { MakeError } from './relay-errors.ts';
import type { RelaySessions } from './sessions.ts';
import type { NodeExchange } from './node-exchange.ts';

export interface RelayParts {
  readonly services: Pick<Services, 'people' | 'planeSite' | 'planeAttempts'>;
  readonly sessions: RelaySessions;
  readonly channels: ChannelStore;
  readonly exchange: NodeExchange;
  readonly makeError: MakeError;
}

/** Maximum size of a frame in bytes. */
export const frameBytes = 1024 * 1024;
/** Maximum lifetime of a code in milliseconds. */
const maxTtlMs = 86_400_000;
const strict = { additionalProperties: false } as const;
const sessionId = Type.String({ pattern: '^relay_\\w{1,40}$' });
export const guestId = Type.String({ pattern: '^[\\w-]{22}$', description: 'Id that the guest generated: 16 random bytes as base64url.' });

const opening = {
  body: Type.Object(
    {
      code: Type.String({ pattern: '^[0-9A-Za-z]{8}$', description: 'Code in the link for guests.' }),
      proofHash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the proof that guests send.' }),
      role: Type.Union([Type.Literal('view'), Type.Literal('control'), Type.Literal('page')], {
        description: '`page`: the guest is a paired device that runs the page. Opening the same code again replaces the previous session.',
      }),
      ttlMs: Type.Integer({ minimum: 1_000, maximum: maxTtlMs, description: 'Lifetime of the code.' }),
    },
    strict,
  ),
  reply: Type.Object({
    session: Type.String(),
    code: Type.String(),
    url: Type.String({ description: 'Address of the page for guests. The host appends the secret after #, which no server receives.' }),
    tunnel: Type.Integer({ description: 'Version of the encrypted tunnel that the page for guests supports.' }),
    expiresAt: Type.String(),
  }),
};
const naming = { params: Type.Object({ session: sessionId }, strict), reply: Type.Object({ ok: Type.Literal(true) }) };
const namingGuest = { params: Type.Object({ session: sessionId, guest: guestId }, strict), reply: Type.Object({ ok: Type.Literal(true) }) };
const posting = {
  query: Type.Object(
    { session: sessionId, guest: guestId, number: Type.Integer({ minimum: 1, description: 'Number of the encrypted frame; increases with each frame.' }) },
    strict,
  ),
  body: Type.Unsafe<Buffer>({}),
  reply: Type.Object({
    has: Type.Integer({ description: 'Number of the newest frame that the guest received.' }),
    isWaiting: Type.Boolean({ description: 'Whether the guest is polling for the next frame.' }),
  }),
};
const hearing = {
  query: Type.Object(
    {
      session: sessionId,
      knowsBurned: Type.Optional(Type.Literal('yes', { description: 'Set by the host if no other guest can join with this code.' })),
      known: Type.Optional(
        Type.String({
          maxLength: 2_000,
          pattern: '^([\\w-]{22}\\.\\d{1,15}\\.\\d{1,15}(,|$))*$',
          description: 'Id, number of the last received input, and number of the newest received frame of each known guest, such as `a.3.7,b.0.1`.',
        }),
      ),
    },
    strict,
  ),
};

export function hostRoutes({ services: { people, planeSite }, sessions, channels, exchange, makeError }: RelayParts): Route<never>[] {
  /** Ends the session on all nodes. */
  function end(session: string): void {
    channels.end(session);
    exchange.ended(session);
  }

  const shared = { tag: 'remote', entitlement: 'pro.cloud_sync', permission: 'relay.write' } as const;
  return [
    route({
      ...shared,
      key: 'POST /api/remote/sessions',
      summary: 'Opens a remote session at the relay. Guests join with its code and a proof of the secret of the link.',
      schema: opening,
      async handle({ body: { code, ...session }, principal }) {
        const { person, org } = people.member(principal);
        const { id, expiresAt, replaced } = await sessions.open({ ...session, code, userId: person.id, orgId: org.id });
        if (replaced !== undefined) end(replaced);
        const url = `${planeSite.url()}/${session.role === 'page' ? 'phone' : 'join'}/${code}`;
        return { session: id, code, url, tunnel: tunnelVersion, expiresAt: expiresAt.toISOString() };
      },
    }),
    route({
      ...shared,
      key: 'DELETE /api/remote/sessions/:session',
      summary: 'Ends a remote session and removes its guests.',
      schema: naming,
      async handle({ params: { session }, principal }) {
        await sessions.close(session, people.member(principal).person.id);
        end(session);
        return { ok: true as const };
      },
    }),
    route({
      ...shared,
      key: 'DELETE /api/remote/sessions/:session/guests/:guest',
      summary: 'Removes one guest.',
      schema: namingGuest,
      async handle({ params: { session, guest }, principal }) {
        await sessions.hosted(session, people.member(principal).person.id);
        await sessions.leave(session, guest);
        channels.leave(session, guest);
        exchange.left(session, guest);
        return { ok: true as const };
      },
    }),
    route({
      ...shared,
      key: 'POST /api/remote/frames',
      summary: 'Replaces the newest encrypted frame for a guest. It is stored in memory until the guest receives it.',
      schema: posting,
      bodyKind: 'raw',
      bodyLimit: frameBytes,
      async handle({ query: { session, guest, number }, body, principal }) {
        await sessions.hosted(session, people.member(principal).person.id);
        if (body.length === 0) throw makeError('INVALID_REQUEST', { why: 'the frame is empty.' });
        return channels.post(session, guest, number, body);
      },
    }),
    route({
      ...shared,
      key: 'GET /api/remote/inputs',
      summary: 'Waits up to 25 s for encrypted inputs of guests and for their acknowledgements; 204 if there is no guest.',
      schema: hearing,
      isRaw: true,
      mediaType: 'application/json',
      async handle({ query: { session, known = '', knowsBurned }, principal, signal, reply }) {
        const member = people.member(principal);
        const { isBurned } = await sessions.hosted(session, member.person.id);
        const isNews = isBurned && knowsBurned === undefined;
        const access = people.watchAccess(member);
        try {
          const over = AbortSignal.any([signal, access.signal]);
          const update = await channels.receiveInputs(session, readKnown(known), { signal: over, longest: isNews ? 0 : exchange.maxWaitMs() });
          if (signal.aborted) return;
          // A host whose access ended polls again and receives the reason.
          if (!update && !isNews) return void reply.code(204).header('cache-control', 'no-store').send();
          const inputs = (update?.inputs ?? []).map(({ message, ...one }) => ({ ...one, message: message.toString('base64') }));
          void reply.header('cache-control', 'no-store').send({ isBurned, guests: update?.guests ?? [], inputs });
        } finally {
          void access.dispose();
        }
      },
    }),
  ];
}

function readKnown(text: string): ReadonlyMap<string, KnownGuest> {
  const rows = text.split(',').filter((one) => one !== '');
  return new Map(
    rows.map((row) => {
      const [guest = '', taken, has] = row.split('.');
      return [guest, { taken: Number(taken), has: Number(has) }];
    }),
  );
}

/** Infers the handler's types from the schemas. */
export function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}
