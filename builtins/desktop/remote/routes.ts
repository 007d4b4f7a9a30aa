// Serves remote sessions over HTTP: state and controls for the host, and joining for guests.
import { setTimeout as delay } from 'node:timers/promises';
import * as Type from 'typebox';
import type { RemoteTransportName } from 'agent-harness/builtins/desktop/remote';
import type { Principal, Route, RouteContext, WebSocketRoute } from 'agent-harness/plugins/http';
import { transportNames, type Transports } from './codes/transports.ts';
import { deviceOf } from './device-of.ts';
import type { MakeError, Remote, ShownCode } from './open-remote.ts';

export interface RouteParts {
  readonly load: () => Promise<Remote>;
  /** Returns the remote sessions, if they have been opened. */
  readonly present: () => Remote | undefined;
  readonly ways: Transports;
  /** Returns whether the request comes from the page that guests see. */
  readonly isPage: (principal: Principal | undefined) => boolean;
  /** Returns whether a guest may have caused the request. */
  readonly mayBeGuest: (principal: Principal | undefined) => boolean;
  readonly makeError: MakeError;
  readonly signal: AbortSignal;
  readonly whyUnavailable: () => string | undefined;
}

const guestPermission = 'remote_guest.read';
const strict = { additionalProperties: false } as const;
const role = Type.Union([Type.Literal('view'), Type.Literal('control')]);
const transport = Type.Union([Type.Literal('lan'), Type.Literal('cloud')]);
const codeRow = Type.Object({
  id: Type.String({ description: 'Id that revokes the code. It does not admit viewers.' }),
  code: Type.Optional(Type.String({ description: 'The code; returned to the device that created it, never to the window while a viewer watches it.' })),
  role,
  transport,
  urls: Type.Array(Type.String(), { description: 'Addresses for viewers; they contain the code. Empty if the code is omitted.' }),
  qr: Type.Optional(Type.String({ description: 'QR code of the first address, as SVG.' })),
  expiresAt: Type.String(),
  isShut: Type.Boolean({ description: 'Whether the code admits no more devices: it was used, or too many wrong codes were tried.' }),
  guests: Type.Integer(),
});
const guestRow = Type.Object({
  guestId: Type.String(),
  name: Type.String(),
  address: Type.String(),
  role,
  since: Type.String(),
  transport,
  mayControl: Type.Boolean({ description: 'Whether the host has allowed control.' }),
  words: Type.Optional(
    Type.String({ description: 'Four words that the viewer also shows. If they differ, another party intercepts the connection: do not allow control.' }),
  ),
  mayDecide: Type.Boolean(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('watching'), Type.Literal('controlling')], {
    description: 'State of the viewer; waiting: it requests control.',
  }),
  ageMs: Type.Integer({ description: 'Age of its picture in milliseconds, if known.' }),
});
const tag = 'remote';
const ok = Type.Object({ ok: Type.Boolean() });
const listing = {
  reply: Type.Object({
    available: Type.Boolean(),
    reason: Type.Optional(Type.String({ description: 'Reason why remote sessions are not possible.' })),
    ways: Type.Array(
      Type.Object({ transport, available: Type.Boolean(), reason: Type.Optional(Type.String({ description: 'Reason why the transport is unavailable.' })) }),
      { description: 'Transports over which viewers may connect.' },
    ),
    codes: Type.Array(codeRow),
    guests: Type.Array(guestRow),
  }),
};
const opening = {
  body: Type.Object({ role, transport, singleUse: Type.Optional(Type.Boolean()), chatId: Type.Optional(Type.String({ maxLength: 64 })) }, strict),
  reply: codeRow,
};
const revoking = { params: Type.Object({ code: Type.String({ maxLength: 32, description: 'Id of the code, or the code.' }) }), reply: ok };
const ending = { reply: Type.Object({ ended: Type.Integer() }) };
const guestParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
const changing = {
  params: guestParams,
  body: Type.Object(
    {
      allow: Type.Optional(Type.Boolean({ description: 'Whether the viewer may control the window.' })),
      mayDecide: Type.Optional(Type.Boolean({ description: 'Whether the viewer may answer approvals and questions.' })),
    },
    strict,
  ),
  reply: ok,
};
const dismissing = { params: guestParams, reply: ok };
const joining = {
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 32 }), name: Type.Optional(Type.String({ maxLength: 200 })) }, strict),
  reply: Type.Object({ token: Type.String(), role, expiresAt: Type.String() }),
};

export function createRoutes({ load, present, ways, isPage, mayBeGuest, makeError, signal, whyUnavailable }: RouteParts): Route[] {
  /** Refuses requests that a guest may have caused, because a guest that controls the page must not admit other guests or grant rights. */
  const refuseGuests = (principal: Principal | undefined): void => {
    if (mayBeGuest(principal)) throw makeError('GUEST_ACTED');
  };
  const describeWay = async (name: RemoteTransportName) => {
    const reason = await ways.whyNot(name);
    return { transport: name, available: reason === undefined, ...(reason === undefined ? {} : { reason }) };
  };
  return [
    route({
      key: 'GET /api/remote',
      summary: 'Lists the codes that admit viewers of this window, and the connected viewers.',
      tag,
      schema: listing,
      async handle({ principal }) {
        const remote = present();
        const isWatched = isPage(principal) && (remote?.guests.list().length ?? 0) > 0;
        const own = isWatched ? undefined : deviceOf(principal);
        const reason = whyUnavailable();
        const shown = { available: reason === undefined, ...(reason === undefined ? {} : { reason }) };
        return {
          ...shown,
          ways: await Promise.all(transportNames.map(describeWay)),
          codes: await Promise.all((remote?.codes() ?? []).map((shown) => rowOf(shown, own))),
          guests: remote?.guests.list() ?? [],
        };
      },
    }),
    route({
      key: 'POST /api/remote',
      summary: 'Creates a code that lets viewers see this window, or control it.',
      tag,
      schema: opening,
      async handle({ body: { singleUse = false, chatId, ...wanted }, principal }) {
        refuseGuests(principal);
        const remote = await load();
        const by = deviceOf(principal);
        return rowOf(await remote.open({ ...wanted, by, isSingleUse: singleUse, ...(chatId === undefined ? {} : { chatId }) }), by);
      },
    }),
    route({
      key: 'DELETE /api/remote/:code',
      summary: 'Revokes a code and disconnects the viewers who joined with it.',
      tag,
      schema: revoking,
      handle({ params: { code } }) {
        if (present()?.revoke(code) !== true) throw makeError('CODE_NOT_FOUND', { code });
        return { ok: true };
      },
    }),
    route({ key: 'DELETE /api/remote', summary: 'Ends all remote sessions.', tag, schema: ending, handle: () => ({ ended: present()?.off() ?? 0 }) }),
    route({
      key: 'POST /api/remote/guests/:id',
      summary: 'Changes whether a viewer may control the window or answer approvals and questions.',
      tag,
      schema: changing,
      handle({ params: { id }, body, principal }) {
        const remote = present();
        if (!remote) throw makeError('GUEST_NOT_FOUND', { guestId: id });
        // Any client may reduce rights.
        if (body.allow === true || body.mayDecide === true) refuseGuests(principal);
        remote.guests.change(id, body);
        return { ok: true };
      },
    }),
    route({
      key: 'DELETE /api/remote/guests/:id',
      summary: 'Disconnects a viewer permanently.',
      tag,
      schema: dismissing,
      handle({ params: { id } }) {
        const remote = present();
        if (!remote) throw makeError('GUEST_NOT_FOUND', { guestId: id });
        remote.guests.dismiss(id);
        return { ok: true };
      },
    }),
    route({
      key: 'POST /remote/join',
      summary: 'Exchanges a code for the token of this viewer.',
      tag,
      auth: 'open',
      permission: guestPermission,
      isGuessable: true,
      schema: joining,
      async handle({ body: { code, name }, peer }: RouteContext<typeof joining>) {
        const remote = present();
        const redeemed = remote?.redeem(code, { address: peer, name });
        if (redeemed && 'token' in redeemed) return { token: redeemed.token, role: redeemed.code.role, expiresAt: redeemed.code.expiresAt };
        await delay(redeemed?.delayMs ?? 0, undefined, { signal }).catch(() => undefined);
        throw makeError('CODE_WRONG');
      },
    }),
  ];
}

export function createGuestSocket(present: () => Remote | undefined): WebSocketRoute {
  return {
    path: '/remote/ui/stream',
    permission: guestPermission,
    tokenField: 'join',
    open(connection, { principal, peer, headers }) {
      const { origin, host } = headers;
      const isForeign = origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
      const seat =
        isForeign || principal.kind !== 'guest' ? undefined : present()?.seat(principal.id, { address: peer, send: (content) => connection.send(content) });
      if (!seat) {
        connection.close(1008, 'not a viewer');
        return;
      }
      const end = (): void => connection.close(seat.hasBroken ? 1008 : 1000);
      connection.onMessage((content) => seat.receive(typeof content === 'string' ? content : ''));
      connection.signal.addEventListener('abort', () => seat.leave(), { once: true });
      seat.closed.addEventListener('abort', end, { once: true });
      if (connection.signal.aborted) seat.leave();
      if (seat.closed.aborted) end();
    },
  };
}

/** @param device device that sends the request; the reply contains only the secrets of codes that this device created */
async function rowOf({ code: { id, by, code, role, transport, expiresAt, isShut }, urls, guests }: ShownCode, device: string | undefined) {
  const row = { id, role, transport, urls: [] as string[], expiresAt, isShut, guests };
  if (by !== device) return row;
  const [first] = urls;
  const qr = first === undefined ? {} : { qr: (await import('uqr')).renderSVG(first) };
  return { ...row, code, urls: [...urls], ...qr };
}

/** Checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'POST /remote/join': typeof joining;
    'GET /api/remote': typeof listing;
    'POST /api/remote': typeof opening;
    'DELETE /api/remote/:code': typeof revoking;
    'DELETE /api/remote': typeof ending;
    'POST /api/remote/guests/:id': typeof changing;
    'DELETE /api/remote/guests/:id': typeof dismissing;
  }
}
