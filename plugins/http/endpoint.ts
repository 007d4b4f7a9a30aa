// Listens on one address: configures Node's HTTP server with time limits, upgrades, and replies to bytes that are not HTTP.
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { withLimit } from '#lib/async';
import { codeOf } from '#lib/errors';
import type { HttpAddress, Rights } from 'agent-harness/plugins/http';
import { toErrorReply, type ErrorReply, type MakeError } from './errors.ts';
import { peerOf } from './local-peer.ts';
import { urlOf, type OriginPolicy } from './origin-policy.ts';

export interface EndpointOptions {
  readonly host: string;
  readonly port: number;
  readonly ceiling?: Rights | undefined;
  /** Returns whether a machine may connect. */
  admits?(peer: string): boolean;
}

export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface EndpointParts {
  readonly makeError: MakeError;
  readonly createRequestId: () => string;
  readonly createPolicy: (address: () => HttpAddress | undefined) => OriginPolicy;
  readonly serve: (request: IncomingMessage, response: ServerResponse, endpoint: Endpoint) => void;
  /** Returns whether a WebSocket route handles the upgrade. */
  readonly takes: (request: IncomingMessage) => boolean;
  readonly upgrade: (asked: UpgradeRequest, endpoint: Endpoint) => Promise<void>;
}

export interface Endpoint {
  readonly address: HttpAddress;
  /** Upper limit for the rights of callers; see {@link Listener.ceiling}. */
  readonly ceiling: Rights | undefined;
  readonly policy: OriginPolicy;
  /** Open responses; `streams` are those of raw routes, which may stay open indefinitely. */
  readonly open: Set<ServerResponse>;
  readonly streams: Set<ServerResponse>;
  /** Whether the endpoint refuses new requests. */
  readonly isStopping: boolean;
  /** Refuses new requests, and waits half a second for open ones. */
  drain(): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Time limits of requests, in milliseconds; replies have no limit. */
const limits = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2_000 };
const graceMs = 500;

/** Opens an endpoint. Rejects with the system's error if the address cannot be bound. */
export async function openEndpoint(options: EndpointOptions, parts: EndpointParts): Promise<Endpoint> {
  const { host, port, ceiling } = options;
  const streams = new Set<ServerResponse>();
  const open = new Set<ServerResponse>();
  let isStopping = false;
  let address: HttpAddress | undefined = undefined;

  const server = createServer({ ...limits, requireHostHeader: false });
  const endpoint: Endpoint = {
    get address() {
      return address ?? { host, port, url: urlOf(host, port) };
    },
    ceiling,
    policy: parts.createPolicy(() => address),
    open,
    streams,
    get isStopping() {
      return isStopping;
    },
    async drain() {
      isStopping = true;
      server.close();
      server.closeIdleConnections();
      const closed = requestsIn(endpoint).map((response) => new Promise((resolve) => response.once('close', resolve)));
      await withLimit(Promise.all(closed), graceMs, () => undefined);
    },
    async close() {
      isStopping = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      endAll(streams);
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), graceMs / 2);
      await closed;
      clearTimeout(force);
    },
  };
  server.prependListener('connection', (socket) => {
    if (options.admits?.(peerOf(socket)) === false) socket.destroy();
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => parts.serve(request, response, endpoint);
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (parts.takes(request)) void parts.upgrade({ request, socket, head }, endpoint);
    else serveAsHttp(server, { request, socket, head });
  });
  server.on('clientError', (fault, socket) => {
    if (socket.writable && codeOf(fault) !== 'ECONNRESET')
      endWith(socket, toErrorReply(requestError(fault, parts.makeError), parts.createRequestId(), parts.makeError));
    else socket.destroy();
  });
  const bound = await listen(server, host, port);
  address = { host, port: bound, url: urlOf(host, bound) };
  return endpoint;
}

/** Adds the response to the set, and removes it when it closes. */
export function track(set: Set<ServerResponse>, response: ServerResponse): void {
  set.add(response);
  response.once('close', () => set.delete(response));
}

/** Ends the responses and destroys their connections. */
export function endAll(streams: ReadonlySet<ServerResponse>): void {
  for (const response of streams) {
    // Once the headers have been sent, closing the socket would look like a broken connection to the client.
    if (response.headersSent) response.end();
    response.socket?.destroySoon();
  }
}

/** Returns the open responses that are not streams. */
export function requestsIn({ open, streams }: Pick<Endpoint, 'open' | 'streams'>): ServerResponse[] {
  return [...open].filter((response) => !streams.has(response) && !response.closed);
}

/** Writes a reply to a socket that has no response object, and closes it. */
export function endWith(socket: Duplex, reply: ErrorReply): void {
  const headers = { ...reply.headers, connection: 'close', 'x-content-type-options': 'nosniff', 'content-length': String(Buffer.byteLength(reply.body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? 'Error'}\r\n${lines.join('')}\r\n${reply.body}`);
}

/** Serves an upgrade request that no WebSocket route handles as a normal request, ignoring `Upgrade`. */
function serveAsHttp(server: Server, { request, socket, head }: UpgradeRequest): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, 'Connection: close'];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    if (!/^(upgrade|connection)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function requestError(fault: Error, makeError: MakeError): Error {
  switch (codeOf(fault)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return makeError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return makeError('HEADERS_TOO_LARGE');
    default:
      return makeError('INVALID_REQUEST', { pointer: '', rule: 'http', why: 'the bytes are not HTTP.' });
  }
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
