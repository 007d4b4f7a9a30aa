// Accepts WebSockets, passes their messages to plugins with backpressure, and closes connections when the plugin is unloaded, the token is revoked, or the
// client disconnects.
import { setMaxListeners } from 'node:events';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { Principal, WebSocketCaller, WebSocketConnection, WebSocketRoute } from 'agent-harness/plugins/http';
import type { Caller } from './access.ts';
import { isTokenProtocol } from './credentials.ts';
import type { Endpoint, UpgradeRequest } from './endpoint.ts';

export interface Upgrade extends UpgradeRequest {
  readonly route: WebSocketRoute;
  readonly endpoint: Endpoint;
  readonly caller: WebSocketCaller;
  /** Authenticates the caller again. */
  readonly again: Caller['again'];
}

export interface WebSockets {
  /** Accepts the upgrade. Contract: the request has passed all checks. */
  accept(upgrade: Upgrade): void;
  connections(): { readonly principal: Principal; readonly again: Caller['again']; end(): void }[];
  /** Closes the matching connections. @param code close code of RFC 6455 */
  end(code: number, fits?: (one: { readonly route: WebSocketRoute; readonly endpoint: Endpoint }) => boolean): void;
}

const defaultMessageBytes = 64 * 1024;
/** Maximum number of unsent bytes; a connection that exceeds it is terminated. */
const maxBuffered = 4 * 1024 * 1024;
/** Number of unsent bytes above which the server reads no messages from the client. */
const stalledAt = 1024 * 1024;
/** Interval between pings in milliseconds; a dead connection is detected after at most two pings. */
const pingEveryMs = 30_000;
/** Time limit of the closing handshake, in milliseconds. */
const goodbyeMs = 250;

export function createWebSockets(onFault: (fault: unknown, about: { readonly requestId: string; readonly route: string }) => void): WebSockets {
  const open = new Map<WebSocket, Upgrade>();

  function begin(socket: WebSocket, upgrade: Upgrade): void {
    const { route, caller } = upgrade;
    const gone = new AbortController();
    // Each running request adds a listener.
    setMaxListeners(0, gone.signal);
    const isStalled = (): boolean => socket.bufferedAmount > stalledAt;
    let isAlive = true;
    const heartbeat = setInterval(() => {
      // The pong is not read while the socket is paused, so the client may be alive; a client that does not read is terminated elsewhere.
      if (!isAlive && (!socket.isPaused || isStalled())) socket.terminate();
      isAlive = false;
      socket.ping();
    }, pingEveryMs);
    const fail = (fault: unknown): void => {
      onFault(fault, { requestId: caller.requestId, route: `WebSocket ${route.path}` });
      socket.close(1011);
    };
    const attempt = (work: () => void | Promise<void>): Promise<void> => new Promise<void>((resolve) => resolve(work())).catch(fail);
    const listeners: ((content: string | Buffer) => void | Promise<void>)[] = [];
    const intake = createIntake({
      maxAtOnce: route.maxAtOnce ?? Infinity,
      maxBytes: route.maxAtOnce === undefined ? Infinity : (route.maxMessageBytes ?? defaultMessageBytes),
      isStalled: () => route.maxAtOnce !== undefined && isStalled(),
      handle: async (content) => void (await Promise.all(listeners.map((listener) => attempt(() => listener(content))))),
      setReading: (isReading) => (isReading ? socket.resume() : socket.pause()),
    });
    open.set(socket, upgrade);
    upgrade.socket.on('drain', () => intake.resume());
    socket.on('message', (content: RawData, isBinary) => intake.add(read(content, isBinary)));
    socket.on('pong', () => (isAlive = true));
    // The library closes the socket after a protocol error or a reset.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(heartbeat);
      open.delete(socket);
      intake.end();
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
      sendFrames(frames) {
        if (socket.readyState === socket.OPEN) upgrade.socket.write(frames);
      },
      onDrain: (listener) => void upgrade.socket.on('drain', listener),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
      onMessage: (listener) => void listeners.push(listener),
    };
    void attempt(() => route.open(connection, { ...caller, dispatch: (asked) => caller.dispatch({ ...asked, signal: gone.signal }) }));
  }

  return {
    accept(upgrade) {
      const server = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload: upgrade.route.maxMessageBytes ?? defaultMessageBytes,
        // If the client offers subprotocols, the server must select one; it selects the one that contains the token only if there is no other.
        handleProtocols: (offered) => [...offered].sort((left, right) => Number(isTokenProtocol(left)) - Number(isTokenProtocol(right)))[0] ?? false,
      });
      server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, (socket) => begin(socket, upgrade));
    },
    connections: () => [...open].map(([socket, { caller, again }]) => ({ principal: caller.principal, again, end: () => end([socket], 1008) })),
    end(code, fits = () => true) {
      const ending = [...open].filter(([, upgrade]) => fits(upgrade)).map(([socket]) => socket);
      end(ending, code);
    },
  };
}

function end(sockets: readonly WebSocket[], code: number): void {
  for (const socket of sockets) socket.close(code);
  if (sockets.length > 0) setTimeout(() => sockets.forEach((socket) => socket.terminate()), goodbyeMs);
}

function read(content: RawData, isBinary: boolean): string | Buffer {
  const bytes = Array.isArray(content) ? Buffer.concat(content) : Buffer.from(content as Buffer);
  return isBinary ? bytes : bytes.toString();
}

interface IntakeParts {
  readonly maxAtOnce: number;
  /** Maximum number of bytes in messages that are not finished. */
  readonly maxBytes: number;
  /** Returns whether the client reads too slowly; its messages then also wait. */
  readonly isStalled: () => boolean;
  /** Handles one message. Contract: never rejects. */
  readonly handle: (content: string | Buffer) => Promise<void>;
  /** Pauses and resumes the socket. */
  readonly setReading: (isReading: boolean) => void;
}

interface Intake {
  add(content: string | Buffer): void;
  /** Continues to read if the client has caught up. */
  resume(): void;
  /** Discards waiting messages. */
  end(): void;
}

function createIntake({ maxAtOnce, maxBytes, isStalled, handle, setReading }: IntakeParts): Intake {
  let waiting: (string | Buffer)[] = [];
  let atWork = 0;
  let bytes = 0;
  let isReading = true;

  async function work(content: string | Buffer): Promise<void> {
    atWork++;
    await handle(content);
    atWork--;
    bytes -= content.length;
    resume();
  }

  function resume(): void {
    while (waiting.length > 0 && atWork < maxAtOnce && !isStalled()) void work(waiting.shift() ?? '');
    // A single read may return many messages, so some arrive while the socket is paused and must wait.
    const isRoom = waiting.length === 0 && atWork < maxAtOnce && bytes < maxBytes && !isStalled();
    if (isRoom !== isReading) setReading((isReading = isRoom));
  }

  return {
    add(content) {
      bytes += content.length;
      waiting.push(content);
      resume();
    },
    resume,
    end() {
      waiting = [];
    },
  };
}
