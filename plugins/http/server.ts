// Serves requests of all endpoints, WebSocket upgrades, and requests that plugins dispatch without a connection.
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { lazy } from 'agent-harness/lib/async';
import type { Dispatch, DispatchReply, HttpAddress, Principal } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import { createAccess, type Caller } from './access.ts';
import type { AppParts } from './app.ts';
import type { Authentication } from './authentication.ts';
import { queryOf, tokenInQuery, withoutToken } from './credentials.ts';
import { endAll, endWith, openEndpoint, requestsIn, track, type Endpoint, type EndpointOptions, type UpgradeRequest } from './endpoint.ts';
import { sendErrorReply, toErrorReply, type ErrorReply } from './error-reply.ts';
import { createGenerations } from './generations.ts';
import { peerOf } from './local-peer.ts';
import { checkOrigin, setCommonHeaders, type OriginPolicy } from './origin-policy.ts';
import { createValidation } from './request-input.ts';
import type { RouteTable, SocketTable } from './route-table.ts';
import type { WebSockets } from './web-sockets.ts';

export interface ServerParts extends Pick<
  AppParts,
  'productName' | 'hostsVariable' | 'sections' | 'runAs' | 'makeError' | 'createRequestId' | 'waitUntilReady' | 'explain' | 'onFault'
> {
  readonly routes: RouteTable;
  readonly sockets: SocketTable;
  readonly createPolicy: (address: () => HttpAddress | undefined) => OriginPolicy;
  readonly authentication: Authentication;
  readonly limitedPatterns: LimitedPatterns;
  /** Whether all plugins are loaded, third-party ones included. */
  readonly hasAllRoutes: () => boolean;
  readonly waitForAllRoutes: () => Promise<void>;
}

export interface HttpServer {
  /** Rejects with the system's error if the address cannot be bound. */
  open(options: EndpointOptions): Promise<Endpoint>;
  /** Closes an endpoint and its connections. */
  shut(endpoint: Endpoint): Promise<void>;
  dispatch(request: Dispatch, principal: Principal): Promise<DispatchReply>;
  /** Whether no request is being served; streams do not count. */
  isIdle(): boolean;
  /** Builds the fastify instance, and compiles the schemas of frequent routes. */
  warmUp(): Promise<void>;
  /** Ends all streams and WebSockets; used when their token is no longer valid. */
  endStreams(): void;
  /** See {@link Http.reviewStreams}. */
  reviewStreams(): Promise<void>;
  /** Refuses new requests, and gives open ones a moment. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** The peer of a request without a connection: no machine has this address. */
const nowhere = '0.0.0.0';
const reviewEveryMs = 30_000;

export function createServer(parts: ServerParts): HttpServer {
  const { makeError, createRequestId } = parts;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const endpoints = new Set<Endpoint>();
  const access = createAccess(parts.authentication, makeError);
  const validation = createValidation(parts.limitedPatterns, makeError);
  const callerOf = (request: IncomingMessage): Caller => callers.get(request) ?? {};
  const generations = createGenerations(
    async () => {
      const { buildApp } = await import('./app.ts');
      return buildApp(parts.routes.all(), {
        ...parts,
        access,
        validation,
        serveLater: ({ raw }, reply) => serveLater(raw, reply.raw),
        callerOf: ({ raw }) => callerOf(raw),
        isLocal: ({ raw }) => access.isPerson(raw, callerOf(raw)),
        guess: ({ raw }, work) => parts.authentication.guess(callerOf(raw).handshake ?? raw, work),
        onStream(response) {
          const { endpoint } = callerOf(response.req);
          if (endpoint) track(endpoint.streams, response);
        },
      });
    },
    (fault) => parts.onFault(fault, { requestId: '', route: 'new generation' }),
  );
  const loadWebSockets = lazy(() => import('./web-sockets.ts').then((loaded) => loaded.createWebSockets(parts.onFault)));
  parts.routes.onChange(() => generations.invalidate());
  parts.sockets.onRemoved((route) => endSockets(1001, (one) => one.route === route));
  const reviewing = setInterval(() => void reviewStreams(), reviewEveryMs).unref();

  function endSockets(code: number, fits?: Parameters<WebSockets['end']>[1]): void {
    void loadWebSockets.made?.then((loaded) => loaded.end(code, fits));
  }

  function serve(request: IncomingMessage, response: ServerResponse, caller: Caller): void {
    callers.set(request, caller);
    if (caller.endpoint) track(caller.endpoint.open, response);
    setCommonHeaders(response);
    generations.serve(request, response).catch((fault: unknown) => refuse(fault, response, String(request.method)));
  }

  /** Requests of unknown paths that waited for plugins. */
  const servedLater = new WeakSet<IncomingMessage>();

  function serveLater(request: IncomingMessage, response: ServerResponse): boolean {
    if (parts.hasAllRoutes() || servedLater.has(request)) return false;
    servedLater.add(request);
    void parts
      .waitForAllRoutes()
      .catch(() => undefined) // the path is unknown then
      .then(() => generations.serve(request, response))
      .catch((fault: unknown) => refuse(fault, response, '(no route)'));
    return true;
  }

  function refusalOf(fault: unknown, route: string): ErrorReply {
    const requestId = createRequestId();
    const reply = toErrorReply(parts.explain(fault), requestId, makeError);
    if (reply.isFault) parts.onFault(fault, { requestId, route });
    return reply;
  }

  function refuse(fault: unknown, to: ServerResponse | Duplex, route: string): void {
    const reply = refusalOf(fault, route);
    if (to instanceof ServerResponse) sendErrorReply(to, reply);
    else endWith(to, reply);
  }

  async function upgrade({ request, socket, head }: UpgradeRequest, endpoint: Endpoint): Promise<void> {
    checkOrigin(request, endpoint.policy, parts);
    if (endpoint.isStopping) throw makeError('NOT_READY');
    const route = parts.sockets.find(request);
    if (!route) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
    const query = queryOf(request);
    const caller: Caller = { endpoint };
    await access.admit(request, caller, route, tokenInQuery(query, undefined, route.tokenField));
    const { principal, again } = caller;
    const { accept } = await loadWebSockets();
    if (!principal || socket.destroyed) return;
    const peer = peerOf(request.socket);
    const { host = '', 'user-agent': agent = '' } = request.headers;
    accept({
      ...{ request, socket, head, route, endpoint, principal, again, peer, requestId: createRequestId() },
      query: withoutToken(query, undefined, route.tokenField),
      dispatch: (asked) => dispatch({ ...asked, headers: { ...asked.headers, host, 'user-agent': agent } }, { endpoint, handshake: request }, peer),
      refusal(fault) {
        const { status, headers, body } = refusalOf(fault, `WebSocket ${route.path}`);
        return { status, headers, body: Buffer.from(body) };
      },
    });
  }

  async function dispatch({ method, path, headers = {}, body, signal }: Dispatch, caller: Caller, peer: string): Promise<DispatchReply> {
    signal?.throwIfAborted();
    const { default: inject } = await import('light-my-request');
    const isBytes = body instanceof Uint8Array;
    const payload = isBytes ? Buffer.from(body) : body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const defaults = { host: 'localhost', 'user-agent': undefined, ...(payload && !isBytes ? { 'content-type': 'application/json' } : {}) };
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    let leave = (): void => undefined;
    try {
      const reply = await inject(
        (request, response) => {
          // As it is given: the URL of an injected request is normalized.
          request.url = path;
          leave = () => void response.destroy(signal?.reason as Error);
          signal?.addEventListener('abort', leave, { once: true });
          serve(request, response, caller);
        },
        { method, url: '/', remoteAddress: peer, headers: { ...defaults, ...given }, ...(payload ? { payload } : {}) },
      );
      return { status: reply.statusCode, headers: reply.headers, body: reply.rawPayload };
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Ends what was opened with other rights than its token has now. If they cannot be determined, it stays open. */
  async function reviewStreams(): Promise<void> {
    const streams = [...endpoints].flatMap(({ streams: open }) => [...open]);
    const held = streams.map((response) => ({ ...callerOf(response.req), end: () => endAll(new Set([response])) }));
    await Promise.all(
      [...held, ...((await loadWebSockets.made)?.held() ?? [])].map(async ({ principal, again, end }) => {
        if (again && rightsIn(await again().catch(() => principal)) !== rightsIn(principal)) end();
      }),
    );
  }

  async function shut(endpoint: Endpoint): Promise<void> {
    endpoints.delete(endpoint);
    endSockets(1001, (one) => one.endpoint === endpoint);
    await endpoint.close();
  }

  return {
    async open(options) {
      const opened = await openEndpoint(options, {
        ...parts,
        serve: (request, response, endpoint) => serve(request, response, { endpoint }),
        takes: (request) => parts.sockets.find(request) !== undefined,
        upgrade: (asked, endpoint) => upgrade(asked, endpoint).catch((fault: unknown) => refuse(fault, asked.socket, 'upgrade')),
      });
      endpoints.add(opened);
      return opened;
    },
    shut,
    dispatch: (request, principal) => dispatch(request, { principal }, nowhere),
    isIdle: () => [...endpoints].every((endpoint) => requestsIn(endpoint).length === 0),
    async warmUp() {
      await generations.prepare();
      for (const { route } of parts.routes.all()) if (route.isCompiledEarly) validation.prepare(route.schema);
    },
    endStreams() {
      for (const endpoint of endpoints) endAll(endpoint.streams);
      endSockets(1008);
    },
    reviewStreams,
    drain: () => Promise.all([...endpoints].map((endpoint) => endpoint.drain())).then(() => undefined),
    async close() {
      clearInterval(reviewing);
      await Promise.all([...endpoints].map(shut));
      parts.routes.onChange(undefined);
      parts.sockets.onRemoved(undefined);
      generations.close();
    },
  };
}

function rightsIn(principal: Principal | undefined): string {
  if (!principal) return '';
  const { kind, id, role, areas, entitlements } = principal;
  return JSON.stringify([kind, id, role, areas ? [...areas].sort() : null, entitlements ? [...entitlements].sort() : null]);
}
