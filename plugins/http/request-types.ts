// Principals and their rights, dispatched requests, and WebSockets. Part of the contract.
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How much a principal may: a viewer reads, a member also writes, an admin also manages, an owner does everything, what asks for no
 * permission by name included.
 */
export type Role = 'viewer' | 'member' | 'admin' | 'owner';

/** What a route asks for: an area, as in `chats`, and how much in it. Reading needs a viewer, writing a member, managing an admin. */
export type Permission = `${string}.${'read' | 'write' | 'manage'}`;

export interface Rights {
  readonly role: Role;
  /** The only areas that the role counts in: `['chats']`. Left out, it counts everywhere. */
  readonly areas?: readonly string[];
}

/** Who makes a request. Messages and decisions keep it in the journal, so it holds no secret. */
export interface Principal extends Rights {
  /** What it is entitled to, where its token source knows such a thing: what `Route.entitlement` asks for. */
  readonly entitlements?: readonly string[];
  /** `owner`: the person whose server this is. `device`: one that the owner paired. `service`: a program with an account of its own. */
  readonly kind: 'owner' | 'device' | 'guest' | 'service' | 'teammate';
  /** The same for the same one, as long as it is known; unique within its kind. */
  readonly id: string;
  /** For people. */
  readonly name?: string;
}

export interface Dispatch {
  readonly method: Method;
  /** With the query: `/api/chats?archived=true`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface DispatchReply {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

export interface WebSocketConnection {
  /** Text as text, bytes as bytes. A client that is 4 MB behind is cut off; one that is gone hears nothing. */
  send(content: string | Uint8Array): void;
  /** Ready-made frames, as `framesOf` of `agent-harness/lib/socket-frames` makes them once for many. Whoever sends them looks at {@link bufferedBytes} first. */
  sendFrames(frames: Uint8Array): void;
  /** Bytes that the client has not taken yet. */
  readonly bufferedBytes: number;
  /** Called whenever the client has taken all. */
  onDrain(listener: () => void): void;
  /** A listener that throws or rejects ends the connection with 1011, and the log says why. */
  onMessage(listener: (content: string | Buffer) => void | Promise<void>): void;
  /** @param code of RFC 6455; 1000, or 4000 to 4999 for what client and plugin know alone */
  close(code?: number, reason?: string): void;
  /** Ends it without a goodbye. */
  terminate(): void;
  /** Aborted when it is closed, by whomever. */
  readonly signal: AbortSignal;
}

/** Who opened a WebSocket. */
export interface WebSocketCaller {
  /** Those of the handshake. */
  readonly headers: IncomingHttpHeaders;
  /** Address of the socket's other end. */
  readonly peer: string;
  readonly requestId: string;
  readonly principal: Principal;
  /** Without the token. */
  readonly query: Readonly<Record<string, string>>;
  /**
   * Has a route serve a request as if this client had made it in HTTP: peer, Host, Origin and token are those of the handshake, and the token is
   * looked at again, so that the rights are those of now. The reply arrives as a whole: nothing for streams. Rejects when the connection is closed.
   */
  dispatch(request: Dispatch): Promise<DispatchReply>;
  /** The reply of a route that throws this. An unexpected error is reported as a failure without details; the log has them. */
  refusal(fault: unknown): DispatchReply;
}

/**
 * Contribution point `web_socket`: a path at which clients open WebSockets. Host, Origin and token are checked before, as for a route; a page
 * hands its token over in the query or as the protocol `token.<token>`. A connection ends with its plugin, with its server, and when tokens
 * are revoked; a client that still has access connects again.
 */
export interface WebSocketRoute {
  /** Exact: `/api/things`. */
  readonly path: `/${string}`;
  /** What the principal must be allowed to. Left out, only an owner may. */
  readonly permission?: Permission;
  /** The field of the query that carries the token here, beside those that may anywhere: `join`. */
  readonly tokenField?: string;
  /** Of the client; 64 kB when left out. A longer one ends the connection with 1009. */
  readonly maxMessageBytes?: number;
  /**
   * So many messages are worked on at once; while there are more, or their bytes are more than one message may have, or the client reads too
   * slowly, nothing further is taken from it. Left out, each is handed on as it comes.
   */
  readonly maxAtOnce?: number;
  /** Contract: adds its listener before it waits for anything, or it misses messages. */
  open(connection: WebSocketConnection, caller: WebSocketCaller): void | Promise<void>;
}
