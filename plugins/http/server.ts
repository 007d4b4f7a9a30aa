// The HTTP server: one socket for the life of the process, a gate before everything, and the generation in force behind it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { HttpAddress, Principal, Route } from 'agent-harness/plugins/http';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';
import type { Admission } from './admission.ts';
import { isTakenAs } from './body-kinds.ts';
import { sendErrorReply, toErrorReply } from './error-reply.ts';
import type { MakeError } from './error-table.ts';
import { buildGeneration, type GenerationParts } from './generation.ts';
import { createGenerations } from './generations.ts';
import type { CheckInput } from './input-check.ts';
import { answerBrokenRequest } from './broken-request.ts';
import type { OriginPolicy } from './origin-policy.ts';
import { isForAll, permits } from './permits.ts';
import { urlOf } from './origin-policy.ts';
import { isAnswered, setCommonHeaders } from './reply-headers.ts';
import type { RouteTable } from './route-table.ts';
import { tokenInQuery } from './token-query.ts';

export interface ServerParts {
  readonly productName: string;
  readonly routes: RouteTable;
  readonly policy: OriginPolicy;
  readonly admission: Admission;
  readonly makeError: MakeError;
  readonly limitedPatterns: LimitedPatterns;
  readonly createRequestId: () => string;
  readonly waitUntilReady: () => Promise<void>;
  readonly explain: GenerationParts['explain'];
  readonly onFault: (fault: unknown, request: { readonly requestId: string; readonly route: string }) => void;
}

export interface RunningServer {
  readonly address: HttpAddress;
  /** No request is being served; streams do not count. */
  isIdle(): boolean;
  /** Compiles the checks of the routes that say so. */
  compileEarly(): Promise<void>;
  /** Ends streams; used when the token they came with is no longer in force. */
  endStreams(): void;
  /** Refuses new requests, and lets those that are being served finish for up to {@link graceMs}. */
  drain(): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}

/** A request must have arrived within these limits, in milliseconds; replies and streams may take as long as they like. */
const limits = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2_000 };
const graceMs = 500;

/** Rejects with the system's error where it cannot listen. */
export async function startServer(host: string, port: number, parts: ServerParts): Promise<RunningServer> {
  const { policy, makeError } = parts;
  const admitted = new WeakMap<IncomingMessage, { readonly requestId: string; principal?: Principal }>();
  const streams = new Set<ServerResponse>();
  const open = new Set<ServerResponse>();
  let isStopping = false;
  let inputCheck: Promise<CheckInput> | undefined;
  const loadInputCheck = (): Promise<CheckInput> =>
    (inputCheck ??= import('./input-check.ts').then(({ createInputCheck }) => createInputCheck(parts.limitedPatterns)));

  const generations = await createGenerations(
    () =>
      buildGeneration(parts.routes.all(), {
        ...parts,
        admit,
        requestIdOf: (request) => admitted.get(request)?.requestId ?? '',
        loadInputCheck,
        principalOf: (request) => admitted.get(request.raw)?.principal,
        isLocal: ({ raw }) => isOwners(raw) && policy.looksLocal(raw) && parts.admission.isOwnConnection(raw.socket),
        guess: (request, work) => parts.admission.guess(request.raw.socket, work),
        onStream: (response) => track(streams, response),
      }),
    (fault) => parts.onFault(fault, { requestId: '', route: 'new generation' }),
  );
  parts.routes.onChange(() => generations.invalidate());

  /** Runs before anything else looks at a request, whether there is such a route or not. */
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = parts.createRequestId();
    admitted.set(request, { requestId });
    try {
      track(open, response);
      setCommonHeaders(response);
      // Whoever asks to speak another protocol is answered in this one and hung up on: what follows would not be HTTP.
      if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
      passGate(request);
      if (isAnswered(request, response, policy, parts.productName)) return;
      const generation = await generations.current();
      if (!response.destroyed) generation.serve(request, response);
    } catch (fault) {
      const reply = toErrorReply(parts.explain(fault), requestId, makeError);
      if (reply.isFault) parts.onFault(fault, { requestId, route: String(request.method) });
      sendErrorReply(response, reply);
    }
  }

  function passGate(request: IncomingMessage): void {
    if (policy.allowedHost(request) === undefined) throw makeError('HOST_NOT_ALLOWED', { host: request.headers.host ?? '' });
    if (policy.judgeOrigin(request) === 'refused') throw makeError('ORIGIN_NOT_ALLOWED', { origin: request.headers.origin });
    if (policy.isTakenByPage(request)) throw makeError('ORIGIN_NOT_ALLOWED', { origin: 'another site' });
    // A proxy's way of asking (`GET http://elsewhere/`) would carry a host that nobody checked.
    if (!request.url?.startsWith('/')) throw makeError('INVALID_REQUEST', { pointer: '', rule: 'url', why: 'the path must begin with a slash.' });
    if (isStopping) throw makeError('NOT_READY');
  }

  async function admit(request: FastifyRequest, route: Route): Promise<void> {
    const principal = await parts.admission.authenticate(request.raw, tokenInQuery(request.query as Record<string, unknown>, route.schema.query));
    const admission = admitted.get(request.raw);
    if (principal && admission) admission.principal = principal;
    if (!principal && route.auth !== 'open') throw makeError('UNAUTHORIZED');
    if (principal && !isForAll(route) && !permits(principal, route.permission)) throw makeError('FORBIDDEN', { permission: route.permission ?? 'owner' });
    if (!isTakenAs(route, request.raw)) throw makeError('UNSUPPORTED_MEDIA_TYPE');
  }

  /** A token says who it is, whatever the connection looks like. */
  function isOwners(request: IncomingMessage): boolean {
    const role = admitted.get(request)?.principal?.role;
    return role === undefined || role === 'owner';
  }

  const server = createServer({ ...limits, requireHostHeader: false });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => void receive(request, response);
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('clientError', (fault, socket) => answerBrokenRequest(fault, socket, parts.createRequestId(), makeError));
  const bound = await listen(server, host, port).catch((fault: unknown) => {
    generations.close();
    throw fault;
  });

  return {
    address: { host, port: bound, url: urlOf(host, bound) },
    isIdle: () => requestsIn(open, streams).length === 0,
    async compileEarly() {
      const { compile } = await loadInputCheck();
      for (const { route } of parts.routes.all()) if (route.isCompiledEarly) compile(route.schema);
    },
    endStreams: () => endAll(streams),
    async drain() {
      isStopping = true;
      server.close();
      server.closeIdleConnections();
      await untilEmpty(open, streams, graceMs);
    },
    async close() {
      isStopping = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      endAll(streams);
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), graceMs / 2);
      await closed;
      clearTimeout(force);
      parts.routes.onChange(undefined);
      generations.close();
    },
  };
}

function track(set: Set<ServerResponse>, response: ServerResponse): void {
  set.add(response);
  response.once('close', () => set.delete(response));
}

function endAll(streams: ReadonlySet<ServerResponse>): void {
  for (const response of streams) {
    // Ending it in order lets the client see an end instead of a broken connection; what was not even begun is cut.
    if (response.headersSent) response.end();
    response.socket?.destroySoon();
  }
}

function requestsIn(open: ReadonlySet<ServerResponse>, streams: ReadonlySet<ServerResponse>): ServerResponse[] {
  return [...open].filter((response) => !streams.has(response) && !response.closed);
}

/** Waits for the requests that are no streams. */
function untilEmpty(open: ReadonlySet<ServerResponse>, streams: ReadonlySet<ServerResponse>, ms: number): Promise<void> {
  const gone = Promise.all(requestsIn(open, streams).map((response) => new Promise((resolve) => response.once('close', resolve))));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return Promise.race([gone, patience]).then(() => clearTimeout(timer));
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
