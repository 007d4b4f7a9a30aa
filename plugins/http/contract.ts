// Defines the contract of the HTTP server: the service `http`, and the contribution points for routes, listeners, token sources and reply sections.
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Entitlements, Series } from 'agent-harness/kernel';
// Adds `sse` to the type of `reply`.
import type {} from 'fastify-sse-v2';
import type { Dispatch, DispatchReply, Method, Permission, Principal, Rights, WebSocketRoute } from './request-types.ts';

export type {
  Dispatch,
  DispatchReply,
  Method,
  Permission,
  Principal,
  Rights,
  Role,
  WebSocketCaller,
  WebSocketConnection,
  WebSocketRoute,
} from './request-types.ts';

export interface RouteSchema {
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** Schema of the body. To reject unknown fields, set `additionalProperties: false` on objects. */
  readonly body?: TSchema;
  /**
   * Schema of the 2xx reply. Fields that it does not declare are never sent. Neither are fields whose schema has an `x-permission` that the caller lacks; such
   * a field must be optional. Omitted for pages and streams.
   */
  readonly reply?: TSchema;
}

/**
 * The body format, and the type of `body` for the handler. `json`: a value validated by the schema. `form`: also accepts HTML form fields, whose text values
 * become numbers if the schema requires it. `raw`: a `Buffer` of any media type. `stream`: a `Readable` that fails with `too_large` beyond the limit. For `raw`
 * and `stream`, the schema only names the type: `Type.Unsafe<Readable>({})`. `json-stream`: JSON that the handler parses itself as it arrives, to avoid holding
 * it in memory twice; its schema is only documentation.
 */
export type BodyKind = 'json' | 'form' | 'raw' | 'stream' | 'json-stream';

type Part<S, K extends keyof RouteSchema> = 0 extends 1 & S
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the parts of a route with an unknown schema have unknown types
    any
  : S extends { readonly [P in K]: infer T extends TSchema }
    ? Static<T>
    : Record<string, never>;

export interface RouteContext<S = RouteSchema> {
  readonly params: Part<S, 'params'>;
  readonly query: Part<S, 'query'>;
  readonly body: Part<S, 'body'>;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the socket's other end. */
  readonly peer: string;
  readonly requestId: string;
  /** Principal of the request's token; omitted only if `auth` is `open` and the request has no valid token. */
  readonly principal?: Principal;
  /** Token of the request, for pages that make further requests with it. */
  readonly token?: string;
  /**
   * Whether the request certainly comes from the user: loopback peer and Host, no foreign origin, no token of another principal, a process of the same OS user,
   * and, on Linux, not a process that the server started or that runs in a sandbox.
   */
  readonly isLocal: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** For streams and pages: status, headers and raw reply. A JSON route returns its reply instead. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Contribution point `route`: a route of the HTTP server. */
export interface Route<S extends RouteSchema = RouteSchema> {
  /** Method and path: `GET /api/chats/:id`. Two routes with the same key cause an error that names both owners. */
  readonly key: `${Method} /${string}`;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Name of the route for callers that do not use paths, such as `send_message`. Default: derived from the key; see {@link Http.find}. */
  readonly command?: string;
  readonly tag: string;
  readonly schema: S;
  /** `token` (default); `open`: needs no token, and the handler itself checks `principal` and `isLocal`. */
  readonly auth?: 'token' | 'open';
  /** Permission that the caller needs; other callers get 403 `forbidden`. Default: owner only. */
  readonly permission?: Permission;
  /** Entitlement that the principal needs; other principals get 403 `entitlement_required`. For routes that all paying principals may call. */
  readonly entitlement?: Extract<keyof Entitlements, string>;
  /** Whether the request contains a guessable secret such as a pairing code: a rejection then counts like a wrong token, and too many result in a 429. */
  readonly isGuessable?: boolean;
  /** Returns whether this route accepts a foreign origin, such as the hosted site on its callback routes. */
  readonly allowsOrigin?: (origin: string) => boolean;
  /** HTTP status of a successful reply; default: 200. */
  readonly status?: 200 | 201 | 202;
  /** Returns whether the work for a reply is still pending; the status is then 202. */
  readonly isPending?: (reply: never) => boolean;
  /** Format of the body; default: `json`. */
  readonly bodyKind?: BodyKind;
  /** Maximum size of the body in bytes; default: 1 MB. */
  readonly bodyLimit?: number;
  /** Whether requests wait up to 10 s for the kernel to be ready; after that, they are answered with 503 `not_ready`. */
  readonly waitsForReady?: boolean;
  /** Whether plugins may add fields to the reply, which must be an object, through the point `reply_section`. */
  readonly takesSections?: boolean;
  /** Whether the handler itself writes a stream to `reply` and returns nothing. */
  readonly isRaw?: boolean;
  /** For routes that are called often: whether the input checks are compiled while the server is idle after startup, instead of on the first request. */
  readonly isCompiledEarly?: boolean;
  /**
   * Media type of a non-JSON reply, such as `text/html`. The handler returns a {@link FileReply} or text of that type. For a raw route, it is only
   * documentation in the OpenAPI document.
   */
  readonly mediaType?: string;
  /** Handles a request. If it throws an error that has `code` and `status`, that error becomes the reply. */
  handle(
    context: RouteContext<S>,
  ):
    | Promise<S extends { readonly reply: infer R extends TSchema } ? Static<R> : unknown>
    | (S extends { readonly reply: infer R extends TSchema } ? Static<R> : unknown);
}

/** An open file, streamed with backpressure. The server always closes the handle. */
export interface FileContent {
  readonly handle: FileHandle;
  /** Size at the time of opening; later bytes are not sent. */
  readonly byteLength: number;
}

/** A stream of unknown length, sent without `Range` support. The server destroys it when the client disconnects. */
export interface GrowingContent {
  readonly stream: Readable;
}

/** The bytes that a route returns. The server handles `Range` and `If-None-Match`. */
export interface FileReply {
  readonly content: Uint8Array | FileContent | GrowingContent;
  /** Media type: `audio/mpeg`, `text/plain; charset=utf-8`. */
  readonly type: string;
  /** The entity tag without quotes, which changes with the bytes. Without it, clients cannot revalidate. */
  readonly tag?: string;
  /** Whether the bytes at this URL never change, so that clients may cache them. */
  readonly isImmutable?: boolean;
  /** The file name of a download; without it, the browser shows the content. */
  readonly download?: string;
  /** The content encoding of `content`; disables `Range`. */
  readonly encoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Open map from route keys to schemas, for typed calls. Augment it next to the route, and only for routes under `/api`: `declare module
 * 'agent-harness/plugins/http' { interface Routes { 'GET /api/plan': typeof schema } }`.
 */
export interface Routes {}

/** Open map from `<route key> <section name>` to the `fields` of a {@link ReplySection}. Augment it next to the section. */
export interface ReplyFields {}

/**
 * Contribution point `reply_section`: fields that a plugin adds to the reply of a route that accepts them (`GET /api/config`, `GET /api/status`, `POST
 * /api/session/reset`). Fields that the schema of the section does not declare are not sent. The route's own fields take precedence, and two sections must not
 * provide the same field.
 */
export interface ReplySection<F extends TObject = TObject> {
  readonly route: Route['key'];
  /** Name for log messages; use the plugin's name if it has only one section. */
  readonly name: string;
  readonly fields: F;
  /** Whether the fields are used only if no other section provides them, for clients that expect a field of a plugin that is not loaded. */
  readonly standsIn?: true;
  /** Returns the fields. Time limit: 3 s. If the call fails, the reply is sent without the fields, and the log names the plugin. */
  read(context: RouteContext): Static<F> | Promise<Static<F>>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** Address as a URL: `http://127.0.0.1:3001`. */
  readonly url: string;
}

/**
 * Contribution point `listener`: an additional address of the server, open while the server listens and the plugin is loaded. Requests are checked as on the
 * main address. A route that exceeds `ceiling` returns 404, like an unknown path.
 */
export interface Listener {
  /** The address to bind to. An address that other machines can reach is rejected unless a token source is set up. */
  readonly host: string;
  /** Port to bind to; 0 selects a free port. */
  readonly port: number;
  /** Upper limit for the rights of all callers on this listener, including the owner. */
  readonly ceiling: Rights;
  /** Returns whether a machine may connect; default: all machines may. Contract: never throws. @param peer address of the machine */
  admits?(peer: string): boolean;
  opened?(address: HttpAddress): void;
  /** Called if the listener cannot or must not listen; the error is also logged. */
  failed?(fault: Error): void;
}

export interface Http {
  /** Runs the hook `server.start`, then listens. Port 0 selects a free port. Rejects with `HTTP_ERR_PORT_IN_USE`. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<HttpAddress>;
  address(): HttpAddress | undefined;
  /** Returns the server of this home folder, in this or another process; `undefined` if none is running. The process exists, but may not respond. */
  running(): Promise<{ readonly pid: number; readonly url: string } | undefined>;
  /**
   * Serves a request without a socket, with all checks except those that concern the connection (token, Host, Origin). The reply is buffered, so this is not
   * suitable for streams. `isLocal` is false, and `peer` is 0.0.0.0. Rejects if the signal is aborted.
   */
  dispatch(request: Dispatch, options: { readonly principal: Principal }): Promise<DispatchReply>;
  /** Returns whether a route with that key is registered; for example, `GET /` if the distribution includes a web page. */
  has(key: Route['key']): boolean;
  /** Returns the current route with that key or command. A default command consists of the words of the path and the method: `chats_id_delete`. */
  find(command: string): Route | undefined;
  /** Stops accepting requests, runs the hook `server.stop`, and closes all connections. */
  close(): Promise<void>;
  /** Ends all open streams after a token was revoked. Clients that have a valid token reconnect. */
  endStreams(): void;
  /**
   * Checks all open streams again, and ends those whose token is no longer valid or has other rights. Runs automatically twice a minute, and when a token
   * source is added or removed; call it to apply a change earlier.
   */
  reviewStreams(): Promise<void>;
  /** Returns whether the principal has the permission; if no permission is given, whether the principal is the owner. */
  permits(principal: Rights, permission: Permission | undefined): boolean;
  /** Returns the OpenAPI 3.1 document of the current routes. */
  openapi(): Record<string, unknown>;
}

export interface WebToken {
  /** Returns the token; creates and saves it (mode 0600) on first use. */
  current(): Promise<string>;
  /** Replaces the token immediately, and closes open streams. Rejects if the environment sets the token. */
  rotate(): Promise<string>;
}

/** Contribution point `token_source`: maps tokens to principals. The web token is the first source; others are paired devices, guests and teammates. */
export interface TokenSource {
  readonly name: string;
  /** Name of a cookie that may contain the source's tokens, for pages. An unknown value counts as no token, not as a failed attempt. */
  readonly cookie?: string;
  /**
   * Returns the principal of a token; `undefined` for an unknown token. Contract: compares in constant time. May throw its own error for a known but invalid
   * token, such as an expired one. A revoked token is unknown immediately; {@link Http.endStreams} ends its open streams.
   */
  identify(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Returns whether the user has set up the source. Only then may the server bind to an address that other machines can reach. */
  isSetUp(): boolean | Promise<boolean>;
}

/** Contribution point `client_address`: determines the client of a request that a trusted proxy forwards. Wrong tokens are counted per client. */
export interface ClientAddress {
  readonly name: string;
  /** Returns the address of the client; without a trusted proxy, the address of the peer. Contract: never throws. */
  read(request: Pick<RouteContext, 'peer' | 'headers'>): string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    http: Http;
    webToken: WebToken;
  }
  interface ContributionPoints {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the list contains routes with different schemas
    route: Route<any>;
    token_source: TokenSource;
    client_address: ClientAddress;
    listener: Listener;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the list contains sections with different schemas
    reply_section: ReplySection<any>;
    web_socket: WebSocketRoute;
  }
  interface Hooks {
    /**
     * Runs once, shortly after the start, while no request is being served, to load the code for the first message. Nothing waits for this hook, and a message
     * may arrive before it runs, so taps may only prefetch.
     */
    'server.idle': Series<[]>;
  }
  interface Events {
    /** The server accepts requests; plugins may still be loading. */
    server_listening: Record<string, never>;
    token_rotated: Record<string, never>;
  }
}
