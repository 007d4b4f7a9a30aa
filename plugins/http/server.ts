// Serves the requests of all endpoints, WebSocket upgrades, and requests that plugins dispatch without a connection.
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Static } from 'typebox';
import type { Logger, Services } from 'agent-harness/kernel';
import { lazy } from '#lib/async';
import { stackOf } from '#lib/errors';
import type { ClientAddress, Dispatch, DispatchReply, Principal, TokenSource, WebSocketCaller } from 'agent-harness/plugins/http';
import { createAccess, type Caller } from './access.ts';
import { createAuthentication } from './authentication.ts';
import { hostsVariable, type config } from './config.ts';
import { queryOf, tokenInQuery, withoutToken } from './credentials.ts';
import { endAll, endWith, openEndpoint, requestsIn, track, type Endpoint, type EndpointOptions, type UpgradeRequest } from './endpoint.ts';
import { sendErrorReply, toErrorReply, type ErrorReply, type MakeError } from './errors.ts';
import { createGenerations } from './generations.ts';
import { peerOf } from './local-peer.ts';
import { checkOrigin, createOriginPolicy, setCommonHeaders } from './origin-policy.ts';
import type { ReplySections } from './reply-sections.ts';
import { createValidation } from './request-input.ts';
import type { RouteTable, SocketTable } from './route-table.ts';
import type { WebSockets } from './web-sockets.ts';
import type { OwnedWebToken } from './web-token.ts';

/** The settings, services and contributions that the server uses. */
export interface HttpParts {
  readonly services: Pick<Services, 'kernel' | 'product' | 'storage' | 'processes' | 'limitedPatterns'>;
  readonly settings: Static<typeof config>;
  readonly routes: RouteTable;
  readonly sections: ReplySections;
  readonly sockets: SocketTable;
  readonly tokenSources: ReadonlySet<TokenSource>;
  readonly clientAddresses: ReadonlySet<ClientAddress>;
  readonly webToken: OwnedWebToken;
  readonly log: Logger;
  readonly makeError: MakeError;
}

export interface ServerParts extends HttpParts {
  /** Resolves when the server is ready; rejects with `NOT_READY`. */
  readonly waitUntilReady: () => Promise<void>;
  /** Returns whether all plugins have been loaded, including third-party plugins. */
  readonly hasAllRoutes: () => boolean;
  readonly waitForAllRoutes: () => Promise<void>;
}

export interface HttpServer {
  /** Opens an endpoint. Rejects with the system's error if the address cannot be bound. */
  open(options: EndpointOptions): Promise<Endpoint>;
  /** Closes an endpoint and its connections. */
  shut(endpoint: Endpoint): Promise<void>;
  dispatch(request: Dispatch, principal: Principal): Promise<DispatchReply>;
  /** Returns whether no request is being served; streams do not count. */
  isIdle(): boolean;
  /** Builds the fastify instance, and compiles the schemas of frequently used routes. */
  warmUp(): Promise<void>;
  /** Ends all streams and WebSockets, whose token may no longer be valid. */
  endStreams(): void;
  /** Ends open streams whose token is no longer valid; see {@link Http.reviewStreams}. */
  reviewStreams(): Promise<void>;
  /** Refuses new requests, and waits briefly for open ones. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Peer address of a request that has no connection; no machine has this address. */
const nowhere = '0.0.0.0';
const reviewEveryMs = 30_000;

export function createServer(parts: ServerParts): HttpServer {
  const { services, routes, sockets, makeError, log } = parts;
  const { kernel, product, storage } = services;
  const callers = new WeakMap<IncomingMessage, Caller>();
  const callerOf = (request: IncomingMessage): Caller => callers.get(request) ?? {};
  const endpoints = new Set<Endpoint>();
  const authentication = createAuthentication(parts);
  const access = createAccess(authentication, makeError);
  const validation = createValidation(services.limitedPatterns, makeError);
  const names = { productName: product.name, hostsVariable: product.setBy?.[hostsVariable] ?? hostsVariable, makeError };
  const createRequestId = (): string => storage.createId('req');
  const explain = (fault: unknown): unknown => storage.unwritable(fault);
  const onFault = (fault: unknown, { requestId, route }: { readonly requestId: string; readonly route: string }): void =>
    log.error(`${route} failed: ${stackOf(fault)}`, { requestId });

  async function buildInstance() {
    const { buildApp } = await import('./app.ts');
    return buildApp(routes.all(), {
      ...names,
      ...{ access, validation, createRequestId, explain, onFault, sections: parts.sections, waitUntilReady: parts.waitUntilReady },
      runAs: (plugin, work, what) => kernel.runAs(plugin, work, what),
      serveLater: ({ raw }, reply) => serveLater(raw, reply.raw),
      callerOf: ({ raw }) => callerOf(raw),
      isLocal: ({ raw }) => access.isPerson(raw, callerOf(raw)),
      guess: ({ raw }, work) => authentication.guess(callerOf(raw).handshake ?? raw, work),
      onStream(response) {
        const { endpoint } = callerOf(response.req);
        if (endpoint) track(endpoint.streams, response);
      },
    });
  }

  const generations = createGenerations(buildInstance, (fault) => onFault(fault, { requestId: '', route: 'new generation' }));
  const loadWebSockets = lazy(() => import('./web-sockets.ts').then((loaded) => loaded.createWebSockets(onFault)));
  routes.onChange(() => generations.invalidate());
  sockets.onRemoved((route) => endSockets(1001, (one) => one.route === route));
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

  /** Requests for unknown paths that have already waited for plugins. */
  const servedLater = new WeakSet<IncomingMessage>();

  function serveLater(request: IncomingMessage, response: ServerResponse): boolean {
    if (parts.hasAllRoutes() || servedLater.has(request)) return false;
    servedLater.add(request);
    void parts
      .waitForAllRoutes()
      .catch(() => undefined) // if waiting fails, the path stays unknown
      .then(() => generations.serve(request, response))
      .catch((fault: unknown) => refuse(fault, response, '(no route)'));
    return true;
  }

  function refusalOf(fault: unknown, route: string): ErrorReply {
    const requestId = createRequestId();
    const reply = toErrorReply(explain(fault), requestId, makeError);
    if (reply.isFault) onFault(fault, { requestId, route });
    return reply;
  }

  function refuse(fault: unknown, to: ServerResponse | Duplex, route: string): void {
    const reply = refusalOf(fault, route);
    if (to instanceof ServerResponse) sendErrorReply(to, reply);
    else endWith(to, reply);
  }

  async function upgrade({ request, socket, head }: UpgradeRequest, endpoint: Endpoint): Promise<void> {
    checkOrigin(request, endpoint.policy, names);
    if (endpoint.isStopping) throw makeError('NOT_READY');
    const route = sockets.find(request);
    if (!route) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
    const query = queryOf(request);
    const caller: Caller = { endpoint };
    await access.admit(request, caller, route, tokenInQuery(query, undefined, route.tokenField));
    const { principal, again } = caller;
    const { accept } = await loadWebSockets();
    if (!principal || socket.destroyed) return;
    const peer = peerOf(request.socket);
    const { headers } = request;
    const { host = '', 'user-agent': agent = '' } = headers;
    const webSocketCaller: WebSocketCaller = {
      ...{ headers, peer, principal, requestId: createRequestId(), query: withoutToken(query, undefined, route.tokenField) },
      dispatch: (asked) => dispatch({ ...asked, headers: { ...asked.headers, host, 'user-agent': agent } }, { endpoint, handshake: request }, peer),
      refusal(fault) {
        const { status, headers: sent, body } = refusalOf(fault, `WebSocket ${route.path}`);
        return { status, headers: sent, body: Buffer.from(body) };
      },
    };
    accept({ request, socket, head, route, endpoint, caller: webSocketCaller, again });
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
          // Sets the given path, because the URL of an injected request is normalized.
          request.url = path;
          leave = () => void response.destroy(signal?.reason as Error);
          signal?.addEventListener('abort', leave, { once: true });
          serve(request, response, caller);
        },
        { method, url: '/', remoteAddress: peer, headers: { ...defaults, ...given }, ...(payload ? { payload } : {}) },
      );
      return { status: reply.statusCode, headers: { ...reply.raw.res.getHeaders() }, body: reply.rawPayload };
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Ends the streams and WebSockets whose token now has other rights. If the rights cannot be determined, the connection stays open. */
  async function reviewStreams(): Promise<void> {
    const streams = [...endpoints].flatMap(({ streams: open }) => [...open]);
    const held = streams.map((response) => ({ ...callerOf(response.req), end: () => endAll(new Set([response])) }));
    await Promise.all(
      [...held, ...((await loadWebSockets.made)?.connections() ?? [])].map(async ({ principal, again, end }) => {
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
        ...{ makeError, createRequestId },
        createPolicy: (address) => createOriginPolicy(parts.settings, address, () => routes.all()),
        serve: (request, response, endpoint) => serve(request, response, { endpoint }),
        takes: (request) => sockets.find(request) !== undefined,
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
      for (const { route } of routes.all()) if (route.isCompiledEarly) validation.prepare(route.schema);
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
      routes.onChange(undefined);
      sockets.onRemoved(undefined);
      generations.close();
    },
  };
}

function rightsIn(principal: Principal | undefined): string {
  if (!principal) return '';
  const { kind, id, role, areas, entitlements } = principal;
  return JSON.stringify([kind, id, role, areas ? [...areas].sort() : null, entitlements ? [...entitlements].sort() : null]);
}
