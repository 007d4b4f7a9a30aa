// One generation: a fastify that knows the routes of one moment, behind a server that is not its own.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import type { Route } from 'agent-harness/plugins/http';
import { defaultBodyLimit, takeJson, takeKind } from './body-kinds.ts';
import { errorPage, toErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';
import type { OwnedRoute } from './route-table.ts';
import { runRoute, type RouteParts } from './run-route.ts';

export interface GenerationParts extends RouteParts {
  /** Throws what the request lacks: a token, a content type. */
  readonly admit: (request: FastifyRequest, route: Route) => Promise<void>;
  /** Serves a request of an unknown path again, once all plugins are loaded. Returns false when they are. */
  readonly serveLater: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly requestIdOf: (request: IncomingMessage) => string;
  /** Says what a full or read-only disk refused, whoever wrote; any other fault as it is. */
  readonly explain: (fault: unknown) => unknown;
  /** Sees what nobody foresaw. */
  readonly onFault: (fault: unknown, request: { readonly requestId: string; readonly route: string }) => void;
  readonly onStream: (response: ServerResponse) => void;
}

export interface Generation {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Closes once the last request is done. Gets no further requests from then on. */
  retire(): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

export async function buildGeneration(routes: readonly OwnedRoute[], parts: GenerationParts): Promise<Generation> {
  const app = fastify<Server>({
    logger: false,
    bodyLimit: defaultBodyLimit,
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: (request) => parts.requestIdOf(request),
    routerOptions: { maxParamLength: 512 },
    serverFactory: () => withoutSocket(),
    frameworkErrors: (fault, request, reply) => replyWithError(fault, request, reply, parts),
    // Ours are made on first use, in run-route.
    schemaController: { compilersFactory: { buildValidator: (() => () => () => true) as never, buildSerializer: () => () => JSON.stringify } },
  }) as unknown as FastifyInstance;
  await app.register(fastifyPlugin(registerShared), parts);
  for (const [owner, owned] of groupByOwner(routes)) {
    void app.register((scope, _, done) => {
      for (const one of owned) addRoute(scope, one, parts, owner);
      done();
    });
  }
  await app.ready();
  return countRequests(app);
}

/** What all routes have in common, those of no plugin (404) included. */
async function registerShared(app: FastifyInstance, parts: GenerationParts): Promise<void> {
  await app.register(FastifySSEPlugin, { retryDelay: false });
  takeJson(app, parts.makeError);
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config;
    if (route) return parts.admit(request, route);
    if (!parts.serveLater(request.raw, reply.raw)) throw notFound(request, parts.makeError);
    return reply.hijack();
  });
  app.setNotFoundHandler((request) => Promise.reject(notFound(request, parts.makeError)));
  app.setErrorHandler((fault: FastifyError, request, reply) => replyWithError(fault, request, reply, parts));
}

function addRoute(scope: FastifyInstance, owned: OwnedRoute, parts: GenerationParts, owner: string): void {
  const { bodyKind = 'json', bodyLimit = defaultBodyLimit } = owned.route;
  if (bodyKind === 'json') {
    addTo(scope, owned, parts, owner);
    return;
  }
  void scope.register((own, _, done) => {
    takeKind(own, bodyKind, bodyLimit, parts.makeError);
    addTo(own, owned, parts, owner);
    done();
  });
}

function addTo(scope: FastifyInstance, owned: OwnedRoute, parts: GenerationParts, owner: string): void {
  const { method, pattern, route } = owned;
  try {
    scope.route({
      method,
      url: pattern,
      config: { route },
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      handler(request, reply) {
        if (route.isRaw) parts.onStream(reply.raw);
        runRoute(owned, request, reply, parts).catch((fault: unknown) => replyWithError(fault, request, reply, parts));
      },
    });
  } catch (fault) {
    // One route that the router does not like must not take all others along.
    parts.onFault(fault, { requestId: '', route: `${route.key} of '${owner}'` });
  }
}

function replyWithError(fault: unknown, request: FastifyRequest, reply: FastifyReply, parts: GenerationParts): void {
  const error = toErrorReply(parts.explain(translate(fault, request, parts.makeError)), request.id, parts.makeError);
  // The pattern, never the URL: that may carry a token.
  const route = `${request.method} ${request.routeOptions.url ?? '(no route)'}`;
  if (error.isFault && !hasLeft(fault, request)) parts.onFault(fault, { requestId: request.id, route });
  if (reply.raw.headersSent || reply.sent) {
    reply.raw.destroy();
    return;
  }
  // Said by fastify after a body it did not read; the rest of that body is thrown away instead, or the reply would be lost with the connection.
  void reply.removeHeader('connection');
  const { route: declared } = request.routeOptions.config;
  // A browser that comes back from a sign-in shows what it gets.
  if ((declared?.mediaType === 'text/html' || declared?.bodyKind === 'form') && acceptsPage(request)) {
    void reply
      .code(error.status)
      .headers({ ...error.headers, 'content-type': 'text/html; charset=utf-8' })
      .send(errorPage(error));
    return;
  }
  void reply.code(error.status).headers(error.headers).send(error.body);
}

/** Whoever hangs up in the middle of a request is no fault of ours, and neither is a route that gives up then. */
function hasLeft(fault: unknown, { raw }: FastifyRequest): boolean {
  const { code, name } = (fault ?? {}) as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return raw.socket.destroyed;
  return (raw.destroyed || raw.socket.destroyed) && (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE');
}

function acceptsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

/** Puts what fastify itself finds wrong into our words. */
function translate(fault: unknown, request: FastifyRequest, make: MakeError): unknown {
  const { code, statusCode } = (fault ?? {}) as Partial<FastifyError>;
  if (typeof code !== 'string' || !code.startsWith('FST_')) return fault;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return make('TOO_LARGE', { limit: request.routeOptions.bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return make('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return make('INVALID_REQUEST', { pointer: '', rule: 'json', why: 'the body is not valid JSON.' });
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return make('INVALID_REQUEST', { pointer: '', rule: 'url', why: 'the path cannot be read.' });
    default:
      return statusCode !== undefined && statusCode < 500 ? make('INVALID_REQUEST', { pointer: '', rule: 'http', why: 'it cannot be read.' }) : fault;
  }
}

function notFound(request: FastifyRequest, make: MakeError): Error {
  return make('NOT_FOUND', { method: request.method, path: request.url.split('?', 1)[0] });
}

function groupByOwner(routes: readonly OwnedRoute[]): Map<string, OwnedRoute[]> {
  const groups = new Map<string, OwnedRoute[]>();
  for (const one of routes) groups.set(one.owner, [...(groups.get(one.owner) ?? []), one]);
  return groups;
}

/** Fastify wants a server to attach to; it never sees ours, or closing a generation would close the port. */
function withoutSocket(): Server {
  return Object.assign(new EventEmitter(), { listening: false, close: () => undefined }) as unknown as Server;
}

function countRequests(app: FastifyInstance): Generation {
  let open = 0;
  let isRetired = false;
  const closeWhenIdle = (): void => {
    if (isRetired && open === 0) void app.close();
  };
  return {
    serve(request, response) {
      open++;
      response.once('close', () => {
        open--;
        closeWhenIdle();
      });
      app.routing(request, response);
    },
    retire() {
      isRetired = true;
      closeWhenIdle();
    },
  };
}
