// Open WebSockets: the handshake, what plugins get of one, and that none outlives its plugin, its token, or its client.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Principal, WebSocketConnection, WebSocketRoute } from 'agent-harness/plugins/http';
import type { Door } from './door.ts';
import { isTokenProtocol } from './token-query.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly route: WebSocketRoute;
  readonly door: Door;
  readonly principal: Principal;
  readonly requestId: string;
  readonly peer: string;
  /** Without the token. */
  readonly query: Readonly<Record<string, string>>;
}

export interface WebSockets {
  /** Contract: the request has passed every check. */
  accept(upgrade: Upgrade): void;
  /** Ends those that fit. @param code of RFC 6455 */
  end(code: number, fits?: (one: { readonly route: WebSocketRoute; readonly door: Door }) => boolean): void;
}

const defaultMessageBytes = 64 * 1024;
/** A client that reads so much too slowly is cut off. Bytes. */
const maxBuffered = 4 * 1024 * 1024;
/** A client that is gone without a word is noticed after at most two of these. Milliseconds. */
const pingEveryMs = 30_000;
/** So long a client may take to say goodbye. Milliseconds. */
const goodbyeMs = 250;

export function createWebSockets(onFault: (fault: unknown, about: { readonly requestId: string; readonly route: string }) => void): WebSockets {
  const open = new Map<WebSocket, Upgrade>();

  function begin(socket: WebSocket, upgrade: Upgrade): void {
    const { route, principal, requestId, peer, query, request } = upgrade;
    const gone = new AbortController();
    let isAlive = true;
    const heartbeat = setInterval(() => {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping();
    }, pingEveryMs);
    const fail = (fault: unknown): void => {
      onFault(fault, { requestId, route: `WebSocket ${route.path}` });
      socket.close(1011);
    };
    const attempt = (work: () => void | Promise<void>): void => void new Promise<void>((resolve) => resolve(work())).catch(fail);
    open.set(socket, upgrade);
    socket.on('pong', () => (isAlive = true));
    // A client that breaks the protocol or hangs up: the library closes, and that is all there is to do.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(heartbeat);
      open.delete(socket);
      gone.abort();
    });
    const connection: WebSocketConnection = {
      signal: gone.signal,
      get bufferedBytes() {
        return socket.bufferedAmount;
      },
      send(content) {
        if (socket.bufferedAmount > maxBuffered) socket.terminate();
        else if (socket.readyState === socket.OPEN) socket.send(content);
      },
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listener) => void socket.on('message', (content: RawData, isBinary) => attempt(() => listener(read(content, isBinary)))),
    };
    attempt(() => route.open(connection, { principal, requestId, peer, query, headers: request.headers }));
  }

  return {
    accept(upgrade) {
      const server = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: upgrade.route.maxMessageBytes ?? defaultMessageBytes,
        // One must be named where any was offered, and the one that carries the token only where there is no other.
        handleProtocols: (offered) => [...offered].sort((left, right) => Number(isTokenProtocol(left)) - Number(isTokenProtocol(right)))[0] ?? false,
      });
      server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => begin(socket, upgrade));
    },
    end(code, fits = () => true) {
      const ending = [...open].filter(([, upgrade]) => fits(upgrade)).map(([socket]) => socket);
      for (const socket of ending) socket.close(code);
      if (ending.length > 0) setTimeout(() => ending.forEach((socket) => socket.terminate()), goodbyeMs);
    },
  };
}

function read(content: RawData, isBinary: boolean): string | Buffer {
  const bytes = Array.isArray(content) ? Buffer.concat(content) : Buffer.from(content as Buffer);
  return isBinary ? bytes : bytes.toString();
}
