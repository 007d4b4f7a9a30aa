// Serves requests, whatever door they come through, and those that come through none.
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Dispatch, DispatchReply, HttpAddress, Principal, Rights, Route } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { Admission } from './admission.ts';
import { isTakenAs } from './body-kinds.ts';
import { endWith } from './broken-request.ts';
import { endAll, openDoor, requestsIn, track, type Door, type UpgradeRequest } from './door.ts';
import { sendErrorReply, toErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';
import { buildGeneration, type GenerationParts } from './generation.ts';
import { createGenerations } from './generations.ts';
import type { CheckInput } from './input-check.ts';
import { peerOf } from './local-peer.ts';
import type { OriginPolicy } from './origin-policy.ts';
import { isForAll, leastRole, limitTo, permits } from './permits.ts';
import { setCommonHeaders } from './reply-headers.ts';
import type { RouteTable } from './route-table.ts';
import type { SocketTable } from './socket-table.ts';
import { tokenInQuery, withoutToken } from './token-query.ts';
import type { WebSockets } from './web-sockets.ts';

export interface ServingParts {
  readonly productName: string;
  readonly hostsVariable: string;
  readonly routes: RouteTable;
  readonly sections: GenerationParts['sections'];
  readonly createPolicy: (address: () => HttpAddress | undefined) => OriginPolicy;
  readonly sockets: SocketTable;
  readonly admission: Admission;
  readonly makeError: MakeError;
  readonly limitedPatterns: LimitedPatterns;
  readonly createRequestId: () => string;
  readonly waitUntilReady: () => Promise<void>;
  readonly explain: GenerationParts['explain'];
  readonly onFault: (fault: unknown, request: { readonly requestId: string; readonly route: string }) => void;
}

export interface Serving {
  /** Rejects with the system's error where it cannot listen. */
  open(at: { readonly host: string; readonly port: number; readonly ceiling?: Rights }): Promise<Door>;
  /** Ends a door and what came through it. */
  shut(door: Door): Promise<void>;
  dispatch(request: Dispatch, principal: Principal): Promise<DispatchReply>;
  /** No request is being served; streams do not count. */
  isIdle(): boolean;
  /** Compiles the checks of the routes that say so. */
  compileEarly(): Promise<void>;
  /** Ends streams; used when the token they came with is no longer in force. */
  endStreams(): void;
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
  principal?: Principal;
  token?: string;
}

export async function createServing(parts: ServingParts): Promise<Serving> {
  const { makeError } = parts;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const doors = new Set<Door>();
  let webSockets: Promise<WebSockets> | undefined;
  let inputCheck: Promise<CheckInput> | undefined;
  const loadInputCheck = (): Promise<CheckInput> =>
    (inputCheck ??= import('./input-check.ts').then(({ createInputCheck }) => createInputCheck(parts.limitedPatterns)));

  const generations = await createGenerations(
    () =>
      buildGeneration(parts.routes.all(), {
        ...parts,
        admit,
        requestIdOf: (request) => callers.get(request)?.requestId ?? '',
        loadInputCheck,
        callerOf: (request) => callers.get(request.raw),
        isLocal: ({ raw }) => isPersons(raw),
        guess: (request, work) => parts.admission.guess(request.raw, work),
        onStream: (response) => {
          const door = callers.get(response.req)?.door;
          if (door) track(door.streams, response);
        },
      }),
    (fault) => parts.onFault(fault, { requestId: '', route: 'new generation' }),
  );
  parts.routes.onChange(() => generations.invalidate());
  parts.sockets.onRemoved((route) => endSockets(1001, (one) => one.route === route));
  const loadWebSockets = (): Promise<WebSockets> => (webSockets ??= import('./web-sockets.ts').then((loaded) => loaded.createWebSockets(parts.onFault)));

  function endSockets(code: number, fits?: Parameters<WebSockets['end']>[1]): void {
    void webSockets?.then((loaded) => loaded.end(code, fits));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const generation = await generations.current();
    if (!response.destroyed) generation.serve(request, response);
  }

  function refuse(fault: unknown, to: ServerResponse | Duplex, request: { readonly requestId: string; readonly route: string }): void {
    const reply = toErrorReply(parts.explain(fault), request.requestId, makeError);
    if (reply.isFault) parts.onFault(fault, request);
    if (to instanceof ServerResponse) sendErrorReply(to, reply);
    else endWith(to, reply);
  }

  async function admit(request: FastifyRequest, route: Route): Promise<void> {
    await letIn(request.raw, route, tokenInQuery(request.query as Record<string, unknown>, route.schema.query));
    if (!isTakenAs(route, request.raw)) throw makeError('UNSUPPORTED_MEDIA_TYPE');
  }

  /** Finds out who it is, and throws unless that one may. */
  async function letIn(request: IncomingMessage, route: Pick<Route, 'auth' | 'permission' | 'entitlement'>, inQuery: unknown): Promise<Caller> {
    const caller = callers.get(request);
    if (!caller) throw makeError('UNAUTHORIZED');
    const ceiling = caller.door?.ceiling;
    if (ceiling && !permits(ceiling, route.permission)) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
    if (caller.door) {
      const takesCookies = caller.door.policy.takesCookies(request);
      const admitted = await parts.admission.authenticate(request, { inQuery, takesCookies }).catch((fault: unknown) => {
        // An open route looks itself at what is carried, and may have use for one that ran out.
        if (route.auth === 'open' && (fault as { readonly status?: unknown }).status === 401) return undefined;
        throw fault;
      });
      if (admitted) Object.assign(caller, admitted, ceiling && { principal: limitTo(admitted.principal, ceiling) });
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
    const query = Object.fromEntries(new URLSearchParams(request.url?.split('?', 2)[1]));
    const { principal, door, requestId } = await letIn(request, route, tokenInQuery(query, undefined));
    const { accept } = await loadWebSockets();
    if (!principal || !door || socket.destroyed) return;
    accept({ request, socket, head, route, door, principal, requestId, peer: peerOf(request.socket), query: withoutToken(query, undefined) });
  }

  /** A token says who it is, whatever the connection looks like. */
  function isPersons(request: IncomingMessage): boolean {
    const { door, principal } = callers.get(request) ?? {};
    if (!door || door.ceiling || (principal && principal.role !== 'owner')) return false;
    return door.policy.looksLocal(request) && parts.admission.isOwnConnection(request.socket);
  }

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
    async dispatch({ method, path, headers = {}, body, signal }, principal) {
      const { default: inject } = await import('light-my-request');
      const generation = await generations.current();
      const requestId = parts.createRequestId();
      const given = body instanceof Uint8Array ? Buffer.from(body) : body === undefined ? undefined : JSON.stringify(body);
      const type = given === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' };
      const reply = await inject(
        (request, response) => {
          callers.set(request, { requestId, principal });
          setCommonHeaders(response);
          generation.serve(request, response);
        },
        {
          method,
          url: path,
          headers: { ...type, ...headers },
          remoteAddress: nowhere,
          ...(given === undefined ? {} : { payload: given }),
          ...(signal ? { signal } : {}),
        },
      );
      return { status: reply.statusCode, headers: reply.headers, body: reply.rawPayload };
    },
    isIdle: () => [...doors].every((door) => requestsIn(door).length === 0),
    async compileEarly() {
      const { compile } = await loadInputCheck();
      for (const { route } of parts.routes.all()) if (route.isCompiledEarly) compile(route.schema);
    },
    endStreams() {
      for (const door of doors) endAll(door.streams);
      endSockets(1008);
    },
    drain: () => Promise.all([...doors].map((door) => door.drain())).then(() => undefined),
    async close() {
      await Promise.all([...doors].map(shut));
      parts.routes.onChange(undefined);
      parts.sockets.onRemoved(undefined);
      generations.close();
    },
  };
}
