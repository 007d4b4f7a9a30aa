// Serves the routes for guests of a relayed remote session: join, poll for the newest frame, send encrypted inputs, leave.
import * as Type from 'typebox';
import { sealedNumber } from '#lib/sealed-link';
import { decodeList } from '#lib/tunnel-codec';
import type { Principal, Route } from 'agent-harness/plugins/http';
import { guestId, route, type RelayParts } from './host-routes.ts';
import type { MakeError } from './relay-errors.ts';
import { maxInputs } from './relay-session.ts';
import type { JoinedGuest } from './sessions.ts';

/** Maximum size of one encrypted input in bytes: 64 kB of text and the encryption overhead. */
const inputBytes = 66 * 1024;
const strict = { additionalProperties: false } as const;

/** Property that stores the guest of a principal. A symbol is copied when rights are limited, and is never serialised as JSON. */
const joinedGuest = Symbol('joinedGuest guest');

/** Returns a principal that has only the rights of a guest. */
export function principalOf(guest: JoinedGuest): Principal {
  const principal: Principal = { kind: 'guest', id: `${guest.session}.${guest.guest}`, role: 'viewer', areas: ['remote_guest'] };
  return Object.assign<Principal, object>(principal, { [joinedGuest]: guest });
}

/** Returns the guest of a request. Throws `GUESTS_ONLY` for other callers. */
function guestOf(principal: Principal | undefined, makeError: MakeError): JoinedGuest {
  const guest = (principal as { readonly [joinedGuest]?: JoinedGuest } | undefined)?.[joinedGuest];
  if (!guest) throw makeError('GUESTS_ONLY');
  return guest;
}

const joining = {
  body: Type.Object(
    {
      code: Type.String({ pattern: '^[0-9A-Za-z]{8}$' }),
      proof: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Proof derived from the secret of the link. It does not reveal the secret.' }),
      guest: guestId,
    },
    strict,
  ),
  reply: Type.Object({
    token: Type.String({ description: 'Bearer token of this guest.' }),
    session: Type.String(),
    role: Type.String(),
    expiresAt: Type.String(),
  }),
};
const polling = {
  query: Type.Object({ after: Type.Integer({ minimum: 0, description: 'Number of the newest frame that the guest received; initially 0.' }) }, strict),
};
const sending = {
  body: Type.Unsafe<Buffer>({}),
  reply: Type.Object({ kept: Type.Integer({ description: 'Number of new inputs that were stored for the host. Send the others again.' }) }),
};

export function guestRoutes({ services: { planeAttempts, planeSite }, sessions, channels, exchange, makeError }: RelayParts): Route<never>[] {
  const shared = { tag: 'remote', permission: 'remote_guest.read' } as const;
  const guest = (principal: Principal | undefined): JoinedGuest => guestOf(principal, makeError);
  return [
    route({
      tag: 'remote',
      auth: 'open',
      isGuessable: true,
      key: 'POST /api/remote/join',
      summary: 'Joins a remote session with its code and a proof of the secret of the link. Several wrong proofs invalidate the code.',
      schema: joining,
      async handle(context) {
        const { code, proof, guest } = context.body;
        const { token, session, role, expiresAt, gone } = await planeAttempts.guard('join', { address: planeSite.clientOf(context) }, () =>
          sessions.join(code, proof, guest),
        );
        for (const one of gone) {
          channels.leave(session, one);
          exchange.left(session, one);
        }
        return { token, session, role, expiresAt: expiresAt.toISOString() };
      },
    }),
    route({
      ...shared,
      key: 'GET /api/remote/poll',
      summary: 'Returns the newest encrypted frame after the one that the guest received; 204 after 25 s. A new poll ends the previous one.',
      schema: polling,
      isRaw: true,
      mediaType: 'application/octet-stream',
      async handle(context) {
        const { session, guest: name, isHostHere } = guest(context.principal);
        const { signal, reply } = context;
        const longest = isHostHere ? exchange.maxWaitMs() : Math.min(awayMs, exchange.maxWaitMs());
        const frame = await channels.poll(session, name, context.query.after, planeSite.clientOf(context), { signal, longest });
        if (signal.aborted) return;
        void reply.headers({ 'x-relay-host': isHostHere || frame ? 'here' : 'away', 'cache-control': 'no-store' });
        if (frame) void reply.header('content-type', 'application/octet-stream').send(frame);
        else void reply.code(204).send();
      },
    }),
    route({
      ...shared,
      key: 'POST /api/remote/input',
      summary: `Sends at most ${maxInputs} encrypted inputs, each preceded by its length (4 bytes, big-endian).`,
      schema: sending,
      bodyKind: 'raw',
      bodyLimit: 4 * inputBytes,
      handle(context) {
        const { session, guest: name } = guest(context.principal);
        const messages = readMessages(context.body);
        const address = planeSite.clientOf(context);
        const kept = channels.take(session, name, address, messages);
        // Forwards resent inputs too: the host may poll on a node that missed the first signal.
        exchange.inputs(session, name, address, messages);
        return { kept };
      },
    }),
    route({
      ...shared,
      key: 'POST /api/remote/leave',
      summary: 'Removes this guest from the session.',
      schema: { reply: Type.Object({ ok: Type.Literal(true) }) },
      async handle({ principal }) {
        const { session, guest: name } = guest(principal);
        await sessions.leave(session, name);
        channels.leave(session, name);
        exchange.left(session, name);
        return { ok: true as const };
      },
    }),
  ];

  /** Parses the inputs of a request. Throws `INVALID_REQUEST`, `TOO_LARGE`. */
  function readMessages(body: Buffer): (readonly [number, Buffer])[] {
    const messages = decodeList(body);
    if (!messages || messages.length > maxInputs) throw makeError('INVALID_REQUEST', { why: 'the body is not a list of encrypted messages.' });
    return messages.map((message) => {
      if (message.length > inputBytes) throw makeError('TOO_LARGE', { bytes: message.length, limit: inputBytes });
      const number = sealedNumber(message);
      if (number === undefined) throw makeError('INVALID_REQUEST', { why: 'a message has no valid number.' });
      // Copies the message, because a slice would keep the whole body in memory.
      return [number, Buffer.from(message)];
    });
  }
}

/** Maximum wait of a poll in milliseconds while the host is away. */
const awayMs = 5_000;
