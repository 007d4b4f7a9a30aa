// Declares the types of principals and their rights, of dispatched requests, and of WebSockets. Part of the contract.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Rights of a principal: a viewer reads, a member also writes, an admin also manages, an owner may call all routes, including those without
 * a permission.
 */
export type Role = 'viewer' | 'member' | 'admin' | 'owner';

/** The permission of a route: an area, such as `chats`, and a level. `read` requires a viewer, `write` a member, `manage` an admin. */
export type Permission = `${string}.${'read' | 'write' | 'manage'}`;

export interface Rights {
  readonly role: Role;
  /** Areas to which the role applies, such as `['chats']`; default: all areas. */
  readonly areas?: readonly string[];
}

/** The sender of a request. The journal stores it with messages and decisions, so it must contain no secret. */
export interface Principal extends Rights {
  /** Entitlements of the principal, if its token source provides them; checked against `Route.entitlement`. */
  readonly entitlements?: readonly string[];
  /** `owner`: the owner of this server. `device`: paired by the owner. `service`: a program with its own account. */
  readonly kind: 'owner' | 'device' | 'guest' | 'service' | 'teammate';
  /** Stable id, unique within its kind. */
  readonly id: string;
  /** Display name. */
  readonly name?: string;
}

export interface Dispatch {
  readonly method: Method;
  /** Path with query: `/api/chats?archived=true`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the request: bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface DispatchReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

export interface WebSocketConnection {
  /** Sends a string as text, and bytes as binary data. A client with 4 MB of unsent data is disconnected; sending to a closed connection has no effect. */
  send(content: string | Uint8Array): void;
  /** Sends frames that `framesOf` in `#lib/socket-frames` encoded once for many clients. Contract: the caller checks {@link bufferedBytes} first. */
  sendFrames(frames: Uint8Array): void;
  /** Number of unsent bytes. */
  readonly bufferedBytes: number;
  /** Called whenever all bytes have been sent. */
  onDrain(listener: () => void): void;
  /** Adds a listener for messages. If it throws or rejects, the connection closes with code 1011, and the reason is logged. */
  onMessage(listener: (content: string | Buffer) => void | Promise<void>): void;
  /** Closes the connection. @param code close code of RFC 6455: 1000, or a private code from 4000 to 4999 */
  close(code?: number, reason?: string): void;
  /** Ends the connection without a closing handshake. */
  terminate(): void;
  /** Aborted when either end closes the connection. */
  readonly signal: AbortSignal;
}

export interface WebSocketCaller {
  /** Headers of the handshake. */
  readonly headers: IncomingHttpHeaders;
  /** Address of the socket's other end. */
  readonly peer: string;
  readonly requestId: string;
  readonly principal: Principal;
  /** Query of the handshake without the token. */
  readonly query: Readonly<Record<string, string>>;
  /**
   * Serves a request as if this client had sent it over HTTP: peer, Host, Origin and token are those of the handshake, and the token is checked again, because
   * its rights may have changed. The reply is buffered, so this is not suitable for streams. Rejects when the connection is closed.
   */
  dispatch(request: Dispatch): Promise<DispatchReply>;
  /** Returns the reply that a route would send for this error. For an unexpected error, the reply has no details; they are logged. */
  refusal(fault: unknown): DispatchReply;
}

/**
 * Contribution point `web_socket`: a path at which clients open WebSockets. Host, Origin and token are checked first, as for a route; a page sends its token in
 * the query or as the protocol `token.<token>`. A connection ends when its plugin is unloaded, when the server stops, and when tokens are revoked; a client
 * that still has access reconnects.
 */
export interface WebSocketRoute {
  /** Exact path, for example `/api/things`. */
  readonly path: `/${string}`;
  /** Permission that the caller needs; default: owner only. */
  readonly permission?: Permission;
  /** Name of an additional query field that may contain the token on this path, for example `join`. */
  readonly tokenField?: string;
  /** Maximum size of a client message in bytes; default: 64 kB. A longer message ends the connection with code 1009. */
  readonly maxMessageBytes?: number;
  /**
   * Maximum number of messages processed concurrently. The server stops reading while this number is reached, while unprocessed messages exceed
   * `maxMessageBytes`, or while the client reads too slowly. Default: each message is passed on as it arrives.
   */
  readonly maxAtOnce?: number;
  /** Called for each connection. Contract: must add its message listener before its first await; otherwise, messages are lost. */
  open(connection: WebSocketConnection, caller: WebSocketCaller): void | Promise<void>;
}
