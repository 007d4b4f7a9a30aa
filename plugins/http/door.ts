// A door: one socket that listens, with the same gate before everything that comes through.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { withLimit } from 'agent-harness/lib/async';
import type { HttpAddress, Rights } from 'agent-harness/plugins/http';
import { answerBrokenRequest } from './broken-request.ts';
import type { MakeError } from './error-table.ts';
import { peerOf } from './local-peer.ts';
import { urlOf, type OriginPolicy } from './origin-policy.ts';
import { isAnswered, setCommonHeaders } from './reply-headers.ts';

export interface DoorPlace {
  readonly host: string;
  readonly port: number;
  readonly ceiling?: Rights | undefined;
  /** Whether a machine may connect at all. */
  admits?(peer: string): boolean;
}

/** A request to go on in another protocol. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface DoorParts {
  readonly productName: string;
  /** The variable that says by which further names the server may be asked for. */
  readonly hostsVariable: string;
  readonly makeError: MakeError;
  readonly createRequestId: () => string;
  readonly createPolicy: (address: () => HttpAddress | undefined) => OriginPolicy;
  /** What has passed the gate. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Sees each request before the gate. */
  readonly onRequest: (request: IncomingMessage, door: Door, requestId: string) => void;
  /** Whether somebody takes a request to go on in another protocol. */
  readonly takes: (request: IncomingMessage) => boolean;
  readonly upgrade: (asked: UpgradeRequest) => Promise<void>;
  readonly refuse: (fault: unknown, to: ServerResponse | Duplex, request: { readonly requestId: string; readonly route: string }) => void;
}

export interface Door {
  readonly address: HttpAddress;
  /** The most that anybody may who comes through; what is above it is not there. Left out, nothing is taken away. */
  readonly ceiling: Rights | undefined;
  readonly policy: OriginPolicy;
  /** Requests that are being served, and of these the ones that may stay as long as they like. */
  readonly open: Set<ServerResponse>;
  readonly streams: Set<ServerResponse>;
  /** It takes no new requests. */
  readonly isStopping: boolean;
  /** Refuses new requests, and lets those that are being served finish for a moment. */
  drain(): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}

/** A request must have arrived within these limits, in milliseconds; replies and streams may take as long as they like. */
const limits = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 2_000 };
const graceMs = 500;

/** Rejects with the system's error where it cannot listen. */
export async function openDoor(place: DoorPlace, parts: DoorParts): Promise<Door> {
  const { host, port, ceiling } = place;
  const { makeError } = parts;
  const streams = new Set<ServerResponse>();
  const open = new Set<ServerResponse>();
  let isStopping = false;
  let address: HttpAddress | undefined = undefined;
  const policy = parts.createPolicy(() => address);

  /** Runs before anything else looks at a request, whether there is such a route or not. */
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = parts.createRequestId();
    try {
      track(open, response);
      setCommonHeaders(response);
      parts.onRequest(request, door, requestId);
      passGate(request);
      if (!isAnswered(request, response, policy, parts.productName)) await parts.serve(request, response);
    } catch (fault) {
      parts.refuse(fault, response, { requestId, route: String(request.method) });
    }
  }

  async function receiveUpgrade({ request, socket, head }: UpgradeRequest): Promise<void> {
    socket.on('error', () => socket.destroy());
    if (!parts.takes(request)) {
      askAgain({ request, socket, head });
      return;
    }
    const requestId = parts.createRequestId();
    try {
      parts.onRequest(request, door, requestId);
      passGate(request);
      await parts.upgrade({ request, socket, head });
    } catch (fault) {
      parts.refuse(fault, socket, { requestId, route: 'upgrade' });
    }
  }

  /** Who asks for what nobody speaks is answered in HTTP, as if it had not asked, and hung up on. */
  function askAgain({ request, socket, head }: UpgradeRequest): void {
    const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`, 'Connection: close'];
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      const name = request.rawHeaders[at] ?? '';
      if (!/^(upgrade|connection)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
    }
    socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    server.emit('connection', socket);
  }

  function passGate(request: IncomingMessage): void {
    if (policy.allowedHost(request) === undefined) throw makeError('HOST_NOT_ALLOWED', { host: request.headers.host ?? '', variable: parts.hostsVariable });
    if (policy.judgeOrigin(request) === 'refused') throw makeError('ORIGIN_NOT_ALLOWED', { origin: request.headers.origin });
    if (policy.isTakenByPage(request)) throw makeError('ORIGIN_NOT_ALLOWED', { origin: 'another site' });
    // A proxy's way of asking (`GET http://elsewhere/`) would carry a host that nobody checked.
    if (!request.url?.startsWith('/')) throw makeError('INVALID_REQUEST', { pointer: '', rule: 'url', why: 'the path must begin with a slash.' });
    if (isStopping) throw makeError('NOT_READY');
  }

  const server = createServer({ ...limits, requireHostHeader: false });
  server.prependListener('connection', (socket) => {
    if (place.admits?.(peerOf(socket)) === false) socket.destroy();
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => void receive(request, response);
  server.on('upgrade', (request, socket, head) => void receiveUpgrade({ request, socket, head }));
  server.on('request', onRequest).on('checkExpectation', onRequest);
  server.on('clientError', (fault, socket) => answerBrokenRequest(fault, socket, parts.createRequestId(), makeError));
  const door: Door = {
    get address() {
      return address ?? { host, port, url: urlOf(host, port) };
    },
    ceiling,
    policy,
    open,
    streams,
    get isStopping() {
      return isStopping;
    },
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
    },
  };
  const bound = await listen(server, host, port);
  address = { host, port: bound, url: urlOf(host, bound) };
  return door;
}

export function track(set: Set<ServerResponse>, response: ServerResponse): void {
  set.add(response);
  response.once('close', () => set.delete(response));
}

export function endAll(streams: ReadonlySet<ServerResponse>): void {
  for (const response of streams) {
    // Ending it in order lets the client see an end instead of a broken connection; what was not even begun is cut.
    if (response.headersSent) response.end();
    response.socket?.destroySoon();
  }
}

/** Those that are no streams. */
export function requestsIn({ open, streams }: { readonly open: ReadonlySet<ServerResponse>; readonly streams: ReadonlySet<ServerResponse> }): ServerResponse[] {
  return [...open].filter((response) => !streams.has(response) && !response.closed);
}

async function untilEmpty(open: ReadonlySet<ServerResponse>, streams: Set<ServerResponse>, ms: number): Promise<void> {
  const gone = Promise.all(requestsIn({ open, streams }).map((response) => new Promise((resolve) => response.once('close', resolve))));
  await withLimit(gone, ms, () => undefined);
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
