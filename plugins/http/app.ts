// Builds the fastify instance for a set of routes. Its hooks check origin and access, validate input, and convert errors.
import type { ServerResponse } from 'node:http';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { FastifySSEPlugin } from 'fastify-sse-v2';
import type { Route } from 'agent-harness/plugins/http';
import type { Access } from './access.ts';
import { queryOf, tokenInQuery } from './credentials.ts';
import { sendError, type ErrorHandlerParts } from './errors.ts';
import { checkOrigin, setCorsHeaders, type OriginCheckParts } from './origin-policy.ts';
import { addParsers, bodyKinds, completeInput, hasContentType, schemasOf, type Validation } from './request-input.ts';
import { runRoute, type RouteParts } from './run-route.ts';
import type { OwnedRoute } from './route-table.ts';

export interface AppParts extends RouteParts, ErrorHandlerParts, OriginCheckParts {
  readonly createRequestId: () => string;
  readonly access: Access;
  readonly validation: Validation;
  /** Resolves when the server is ready; rejects with `NOT_READY`. */
  readonly waitUntilReady: () => Promise<void>;
  /** Retries a request for an unknown path once all plugins have been loaded. Returns `false` if they are already loaded. */
  readonly serveLater: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Called for a response that may stay open indefinitely. */
  readonly onStream: (response: ServerResponse) => void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the request; omitted for an unknown path. */
    route?: Route;
  }
}

const defaultBodyLimit = 1024 * 1024;

export async function buildApp(routes: readonly OwnedRoute[], parts: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: defaultBodyLimit,
    // A GET handler may consume a one-time value such as a sign-in code, so the HEAD request of a link checker must not run it.
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: () => parts.createRequestId(),
    routerOptions: { maxParamLength: 512 },
    // The router rejects a path that it cannot parse before any hook runs.
    frameworkErrors(fault, request, reply) {
      try {
        if (!isAnswered(request, reply, parts)) sendError(fault, request, reply, parts);
      } catch (refusal) {
        sendError(refusal, request, reply, parts);
      }
    },
    schemaController: { compilersFactory: { buildValidator: (() => parts.validation.compiler) as never, buildSerializer: () => () => JSON.stringify } },
  });
  app.setErrorHandler((fault, request, reply) => sendError(fault, request, reply, parts));
  void app.register(FastifySSEPlugin, { retryDelay: false });
  for (const plugin of [origin, access, input]) void app.register(fastifyPlugin(plugin), parts);
  for (const kind of bodyKinds) {
    void app.register((scope, _, done) => {
      addParsers(scope, kind, parts.makeError);
      for (const one of routes) if ((one.route.bodyKind ?? 'json') === kind) addRoute(scope, one, parts);
      done();
    });
  }
  await app.ready();
  return app;
}

/** Rejects requests by Host and Origin, and answers preflights, including for paths without a route. */
function origin(app: FastifyInstance, parts: AppParts, done: () => void): void {
  app.addHook('onRequest', async (request, reply) => (isAnswered(request, reply, parts) ? reply : undefined));
  done();
}

/** Returns whether the request was a preflight. A dispatched request has no connection to check. */
function isAnswered(request: FastifyRequest, reply: FastifyReply, parts: AppParts): boolean {
  const { endpoint, handshake } = parts.callerOf(request);
  if (!endpoint || handshake) return false;
  checkOrigin(request.raw, endpoint.policy, parts);
  if (endpoint.isStopping) throw parts.makeError('NOT_READY');
  const isPreflight = setCorsHeaders(request.raw, reply.raw, endpoint.policy, parts.productName);
  if (isPreflight) void reply.code(204).send();
  return isPreflight;
}

/** Authenticates the caller, and checks the permission and the content type. Unknown paths need no authentication. */
function access(app: FastifyInstance, parts: AppParts, done: () => void): void {
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config;
    if (!route) {
      if (parts.serveLater(request, reply)) return reply.hijack();
      throw parts.makeError('NOT_FOUND', { method: request.method, path: request.url.split('?', 1)[0] });
    }
    const caller = parts.callerOf(request);
    const inQuery = caller.handshake
      ? tokenInQuery(queryOf(caller.handshake), undefined)
      : tokenInQuery(request.query as Record<string, unknown>, route.schema.query);
    await parts.access.admit(request.raw, caller, route, inQuery);
    if (!hasContentType(route, request.raw)) throw parts.makeError('UNSUPPORTED_MEDIA_TYPE');
    return undefined;
  });
  done();
}

/** Completes the input before it is validated; a route that needs all plugins waits for them. */
function input(app: FastifyInstance, parts: AppParts, done: () => void): void {
  app.addHook('preValidation', async (request) => {
    const { route } = request.routeOptions.config;
    if (route) completeInput(request, route);
  });
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.route?.waitsForReady) await parts.waitUntilReady();
  });
  done();
}

function addRoute(app: FastifyInstance, owned: OwnedRoute, parts: AppParts): void {
  const { method, pattern, route, owner } = owned;
  const run = (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => runRoute(owned, request, reply, parts);
  try {
    app.route({
      method,
      url: pattern,
      config: { route },
      schema: schemasOf(route),
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      handler: route.isRaw ? streamed : run,
    });
  } catch (fault) {
    // If the router rejects a route, the other routes still work.
    parts.onFault(fault, { requestId: '', route: `${route.key} of '${owner}'` });
  }

  /** Keeps the response open after the handler returns, until the plugin ends it. */
  function streamed(request: FastifyRequest, reply: FastifyReply): void {
    parts.onStream(reply.raw);
    run(request, reply).catch((fault: unknown) => sendError(fault, request, reply, parts));
  }
}
