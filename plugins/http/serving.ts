// Serves requests, whatever door they come through, and those that come through none.
import { lazy } from 'agent-harness/lib/async';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Dispatch, DispatchReply, HttpAddress, Principal, Route } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { Admission, Admitted } from './admission.ts';
import { isTakenAs } from './body-kinds.ts';
import { endWith } from './broken-request.ts';
import { dispatch } from './dispatch.ts';
import { endAll, openDoor, requestsIn, track, type Door, type DoorPlace, type UpgradeRequest } from './door.ts';
import { sendErrorReply, toErrorReply, type ErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';
import { buildGeneration, type GenerationParts } from './generation.ts';
import { createGenerations } from './generations.ts';
import { peerOf } from './local-peer.ts';
import type { OriginPolicy } from './origin-policy.ts';
import { review, reviewEveryMs } from './review.ts';
import { isForAll, leastRole, limitTo, permits } from './permits.ts';
import type { RouteTable } from './route-table.ts';
import type { SocketTable } from './socket-table.ts';
import { tokenInQuery, withoutToken } from './token-query.ts';
import type { WebSockets } from './web-sockets.ts';

export interface ServingParts {
  readonly productName: string;
  readonly hostsVariable: string;
  readonly routes: RouteTable;
  readonly sections: GenerationParts['sections'];
  readonly runAs: GenerationParts['runAs'];
  readonly createPolicy: (address: () => HttpAddress | undefined) => OriginPolicy;
  readonly sockets: SocketTable;
  readonly admission: Admission;
  readonly makeError: MakeError;
  readonly limitedPatterns: LimitedPatterns;
  readonly createRequestId: () => string;
  readonly waitUntilReady: () => Promise<void>;
  /** All plugins are loaded, third-party ones included. */
  readonly hasAllRoutes: () => boolean;
  readonly waitForAllRoutes: () => Promise<void>;
  readonly explain: GenerationParts['explain'];
  readonly onFault: (fault: unknown, request: { readonly requestId: string; readonly route: string }) => void;
}

export interface Serving {
  /** Rejects with the system's error where it cannot listen. */
  open(at: DoorPlace): Promise<Door>;
  /** Ends a door and what came through it. */
  shut(door: Door): Promise<void>;
  dispatch(request: Dispatch, principal: Principal): Promise<DispatchReply>;
  /** No request is being served; streams do not count. */
  isIdle(): boolean;
  /** Compiles the checks of the routes that say so. */
  compileEarly(): Promise<void>;
  /** Ends streams; used when the token they came with is no longer in force. */
  endStreams(): void;
  /** Ends the streams of who may not what they could when they came. */
  reviewStreams(): Promise<void>;
  /** Refuses new requests, and lets those that are being served finish for a moment. */
  drain(): Promise<void>;
  /** Ends all doors and what is left. */
  close(): Promise<void>;
}

/** The peer of what comes through no socket: no machine has it, and it is not this one. */
const nowhere = '0.0.0.0';

/** What is known of a request from its beginning; one without a door was dispatched, and brought its principal along. */
interface Caller {
  readonly requestId: string;
  readonly door?: Door;
  /** That of a WebSocket: who asks over it is who made it. */
  readonly handshake?: IncomingMessage;
  principal?: Principal;
  token?: string;
  /** Who it is now. */
  again?: () => Promise<Principal | undefined>;
}

export async function createServing(parts: ServingParts): Promise<Serving> {
  const { makeError } = parts;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const doors = new Set<Door>();
  const loadInputCheck = lazy(() => import('./input-check.ts').then(({ createInputCheck }) => createInputCheck(parts.limitedPatterns)));

  const generations = await createGenerations(
    () =>
      buildGeneration(parts.routes.all(), {
        ...parts,
        admit,
        serveLater,
        requestIdOf: (request) => callers.get(request)?.requestId ?? '',
        loadInputCheck,
        callerOf: (request) => callers.get(request.raw),
        isLocal: ({ raw }) => isPersons(raw),
        guess: ({ raw }, work) => parts.admission.guess(callers.get(raw)?.handshake ?? raw, work),
        onStream: (response) => {
          const door = callers.get(response.req)?.door;
          if (door) track(door.streams, response);
        },
      }),
    (fault) => parts.onFault(fault, { requestId: '', route: 'new generation' }),
  );
  parts.routes.onChange(() => generations.invalidate());
  parts.sockets.onRemoved((route) => endSockets(1001, (one) => one.route === route));
  const loadWebSockets = lazy(() => import('./web-sockets.ts').then((loaded) => loaded.createWebSockets(parts.onFault)));

  function endSockets(code: number, fits?: Parameters<WebSockets['end']>[1]): void {
    void loadWebSockets.made?.then((loaded) => loaded.end(code, fits));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const generation = await generations.current();
    if (!response.destroyed) generation.serve(request, response);
  }

  /** Requests of paths that were unknown while plugins were being loaded. */
  const servedLater = new WeakSet<IncomingMessage>();

  /** A plugin that is still being loaded may add the route, so the request waits. Returns false when it does not wait. */
  function serveLater(request: IncomingMessage, response: ServerResponse): boolean {
    if (parts.hasAllRoutes() || servedLater.has(request)) return false;
    servedLater.add(request);
    void parts
      .waitForAllRoutes()
      .catch(() => undefined) // the route is unknown then
      .then(() => serve(request, response))
      .catch((fault: unknown) => refuse(fault, response, { requestId: callers.get(request)?.requestId ?? '', route: '(no route)' }));
    return true;
  }

  function refusalOf(fault: unknown, request: { readonly requestId: string; readonly route: string }): ErrorReply {
    const reply = toErrorReply(parts.explain(fault), request.requestId, makeError);
    if (reply.isFault) parts.onFault(fault, request);
    return reply;
  }

  function refuse(fault: unknown, to: ServerResponse | Duplex, request: { readonly requestId: string; readonly route: string }): void {
    const reply = refusalOf(fault, request);
    if (to instanceof ServerResponse) sendErrorReply(to, reply);
    else endWith(to, reply);
  }

  async function admit(request: FastifyRequest, route: Route): Promise<void> {
    const { handshake } = callers.get(request.raw) ?? {};
    await letIn(
      request.raw,
      route,
      handshake ? tokenInQuery(queryOf(handshake), undefined) : tokenInQuery(request.query as Record<string, unknown>, route.schema.query),
    );
    if (!isTakenAs(route, request.raw)) throw makeError('UNSUPPORTED_MEDIA_TYPE');
  }

  /** Finds out who it is, and throws unless that one may. */
  async function letIn(request: IncomingMessage, route: Pick<Route, 'auth' | 'permission' | 'entitlement'>, inQuery: unknown): Promise<Caller> {
    const caller = callers.get(request);
    if (!caller) throw makeError('UNAUTHORIZED');
    if (caller.handshake && caller.door?.isStopping) throw makeError('NOT_READY');
    const ceiling = caller.door?.ceiling;
    if (ceiling && !permits(ceiling, route.permission)) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
    if (caller.door) {
      const carrying = caller.handshake ?? request;
      const takesCookies = caller.door.policy.takesCookies(carrying);
      const identify = (): Promise<Admitted | undefined> => parts.admission.authenticate(carrying, { inQuery, takesCookies });
      const within = (one: Principal): Principal => (ceiling ? limitTo(one, ceiling) : one);
      const admitted = await identify().catch((fault: unknown) => {
        // An open route looks itself at what is carried, and may have use for one that ran out.
        if (route.auth === 'open' && (fault as { readonly status?: unknown }).status === 401) return undefined;
        throw fault;
      });
      caller.again = async () => identify().then((one) => one && within(one.principal));
      if (admitted) Object.assign(caller, { token: admitted.token, principal: within(admitted.principal) });
    }
    const { principal } = caller;
    if (!principal && route.auth !== 'open') throw makeError('UNAUTHORIZED');
    if (principal && !isForAll(route) && !permits(principal, route.permission)) {
      throw makeError('FORBIDDEN', { permission: route.permission ?? 'owner', role: leastRole(route.permission) });
    }
    const { entitlement } = route;
    if (entitlement !== undefined && !principal?.entitlements?.includes(entitlement)) throw makeError('ENTITLEMENT_REQUIRED', { entitlement });
    return caller;
  }

  async function upgrade({ request, socket, head }: UpgradeRequest): Promise<void> {
    const route = parts.sockets.find(request);
    if (!route) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
    const query = queryOf(request);
    const { principal, door, requestId, again } = await letIn(request, route, tokenInQuery(query, undefined, route.tokenField));
    const { accept } = await loadWebSockets();
    if (!principal || !door || socket.destroyed) return;
    const peer = peerOf(request.socket);
    const { host = '', 'user-agent': agent = '' } = request.headers;
    accept({
      ...{ request, socket, head, route, door, principal, again, requestId, peer, query: withoutToken(query, undefined, route.tokenField) },
      dispatch: (asked) => serveAside({ ...asked, headers: { ...asked.headers, host, 'user-agent': agent } }, { door, handshake: request }, peer),
      refusal(fault) {
        const { status, headers, body } = refusalOf(fault, { requestId: parts.createRequestId(), route: `WebSocket ${route.path}` });
        return { status, headers, body: Buffer.from(body) };
      },
    });
  }

  async function serveAside(request: Dispatch, caller: Omit<Caller, 'requestId'>, peer: string): Promise<DispatchReply> {
    const generation = await generations.current();
    return dispatch(request, {
      peer,
      onRequest(made, response) {
        callers.set(made, { ...caller, requestId: parts.createRequestId() });
        if (caller.door) track(caller.door.open, response);
      },
      serve: (made, response) => generation.serve(made, response),
    });
  }

  /** A token says who it is, whatever the connection looks like. */
  function isPersons(request: IncomingMessage): boolean {
    const { door, principal, handshake = request } = callers.get(request) ?? {};
    if (!door || door.ceiling || (principal && principal.role !== 'owner')) return false;
    return door.policy.looksLocal(handshake) && parts.admission.isOwnConnection(handshake.socket);
  }

  async function reviewStreams(): Promise<void> {
    const streams = [...doors].flatMap((door) => [...door.streams]);
    const held = streams.map((response) => ({ principal: undefined, again: undefined, ...callers.get(response.req), end: () => endAll(new Set([response])) }));
    await review([...held, ...((await loadWebSockets.made)?.held() ?? [])]);
  }

  const reviewing = setInterval(() => void reviewStreams(), reviewEveryMs).unref();

  async function shut(door: Door): Promise<void> {
    doors.delete(door);
    endSockets(1001, (one) => one.door === door);
    await door.close();
  }

  return {
    async open(at) {
      const onRequest = (request: IncomingMessage, door: Door, requestId: string): void => void callers.set(request, { requestId, door });
      const door = await openDoor(at, { ...parts, serve, refuse, onRequest, upgrade, takes: (request) => parts.sockets.find(request) !== undefined });
      doors.add(door);
      return door;
    },
    shut,
    dispatch: (request, principal) => serveAside(request, { principal }, nowhere),
    isIdle: () => [...doors].every((door) => requestsIn(door).length === 0),
    async compileEarly() {
      const { compile } = await loadInputCheck();
      for (const { route } of parts.routes.all()) if (route.isCompiledEarly) compile(route.schema);
    },
    endStreams() {
      for (const door of doors) endAll(door.streams);
      endSockets(1008);
    },
    reviewStreams,
    drain: () => Promise.all([...doors].map((door) => door.drain())).then(() => undefined),
    async close() {
      clearInterval(reviewing);
      await Promise.all([...doors].map(shut));
      parts.routes.onChange(undefined);
      parts.sockets.onRemoved(undefined);
      generations.close();
    },
  };
}

function queryOf({ url = '' }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
}
