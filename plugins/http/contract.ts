// The service `http`, and the contribution points of routes, listeners, token sources and reply sections.
import type { FileHandle } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Entitlements, Series } from 'agent-harness/kernel';
// Gives `reply` its `sse`.
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
  /** Unknown fields are rejected: give objects `additionalProperties: false`. */
  readonly body?: TSchema;
  /**
   * Schema of the 2xx reply. Fields outside of it are never sent, nor are fields whose schema names an `x-permission` that the caller lacks; such a
   * field is optional. Left out for pages and streams.
   */
  readonly reply?: TSchema;
}

/**
 * The body format, and what the handler gets as `body`. `json`: a value validated by the schema. `form`: HTML form fields are accepted, too; their
 * text values become numbers if the schema requires it. `raw`: a `Buffer`, of any type. `stream`: a `Readable` that fails with
 * `too_large` beyond the limit. For the last two the schema only names the type: `Type.Unsafe<Readable>({})`. `json-stream`: JSON that the handler
 * parses itself while it arrives, because it is too large to hold twice in memory; its schema is documentation only and not checked.
 */
export type BodyKind = 'json' | 'form' | 'raw' | 'stream' | 'json-stream';

type Part<S, K extends keyof RouteSchema> = 0 extends 1 & S
  ? // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a route of unknown schema has parts of unknown type
    any
  : S extends { readonly [P in K]: infer T extends TSchema }
    ? Static<T>
    : Record<string, never>;

export interface RouteContext<S = RouteSchema> {
  readonly params: Part<S, 'params'>;
  readonly query: Part<S, 'query'>;
  readonly body: Part<S, 'body'>;
  readonly headers: IncomingHttpHeaders;
  /** Address of the socket's other end. */
  readonly peer: string;
  readonly requestId: string;
  /** Principal of the request's token; may be missing only if `auth` is `open`. */
  readonly principal?: Principal;
  /** The token itself, for a page that continues with it. */
  readonly token?: string;
  /**
   * Whether the request certainly comes from the user: loopback peer and Host, no foreign origin, no token of another principal, this user, and on
   * Linux no program that the server started or that runs in a sandbox.
   */
  readonly isLocal: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** For streams and pages: status, headers, raw reply. A JSON route returns its reply and does not use this. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Contribution point `route`. */
export interface Route<S extends RouteSchema = RouteSchema> {
  /** `GET /api/chats/:id`. Two routes with the same key are an error that names both owners. */
  readonly key: `${Method} /${string}`;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** Its name for callers without paths: `send_message`. Derived from the key when left out; see {@link Http.find}. */
  readonly command?: string;
  readonly tag: string;
  readonly schema: S;
  /** `token` (default); `open`: no token needed, the handler checks `principal` and `isLocal` itself. */
  readonly auth?: 'token' | 'open';
  /** The permission required; others get 403 `forbidden`. Owner only when left out. */
  readonly permission?: Permission;
  /** The entitlement required; others get 403 `entitlement_required`. For routes open to every paying principal. */
  readonly entitlement?: Extract<keyof Entitlements, string>;
  /** It carries a guessable secret (a pairing code): a refusal counts like a wrong token, and too many are a 429. */
  readonly isGuessable?: boolean;
  /** Accepts a foreign origin for this route (the hosted site on its callback routes). */
  readonly allowsOrigin?: (origin: string) => boolean;
  /** 200 when left out. */
  readonly status?: 200 | 201 | 202;
  /** Whether the work behind a reply is still pending: then the status is 202. */
  readonly isPending?: (reply: never) => boolean;
  /** `json` when left out. */
  readonly bodyKind?: BodyKind;
  /** Bytes; 1 MB when left out. */
  readonly bodyLimit?: number;
  /** Waits up to 10 s for the kernel to be ready, then 503 `not_ready`. */
  readonly waitsForReady?: boolean;
  /** Plugins may add fields to its reply, an object, through the point `reply_section`. */
  readonly takesSections?: boolean;
  /** The handler writes to `reply` itself and returns nothing: a stream. */
  readonly isRaw?: boolean;
  /** Called frequently: its checks are compiled while the server is idle after its start, not at the first request. */
  readonly isCompiledEarly?: boolean;
  /**
   * Media type of a non-JSON reply: `text/html`. The handler returns a {@link FileReply}, or text of that type. For a raw route
   * it only serves the OpenAPI document.
   */
  readonly mediaType?: string;
  /** A thrown error with `code` and `status` becomes the error reply. */
  handle(
    context: RouteContext<S>,
  ):
    | Promise<S extends { readonly reply: infer R extends TSchema } ? Static<R> : unknown>
    | (S extends { readonly reply: infer R extends TSchema } ? Static<R> : unknown);
}

/** An open file, streamed with backpressure. The server closes the handle in any case. */
export interface FileContent {
  readonly handle: FileHandle;
  /** The length when it was opened; later bytes are not sent. */
  readonly byteLength: number;
}

/** A stream of unknown length, sent without `Range` support. The server destroys it when the client disconnects. */
export interface GrowingContent {
  readonly stream: Readable;
}

/** The bytes that a route returns. The server handles `Range` and `If-None-Match`. */
export interface FileReply {
  readonly content: Uint8Array | FileContent | GrowingContent;
  /** `audio/mpeg`, `text/plain; charset=utf-8`. */
  readonly type: string;
  /** The entity tag, without quotes: it changes with the bytes. Left out, clients cannot revalidate. */
  readonly tag?: string;
  /** The bytes of this URL never change, so clients may cache them. */
  readonly isImmutable?: boolean;
  /** The file name of a download; left out, the browser shows the content. */
  readonly download?: string;
  /** The content encoding of `content`; disables `Range`. */
  readonly encoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Open map: route key → its schemas, for typed calls. Augment it beside the route, for routes below `/api` alone:
 * `declare module 'agent-harness/plugins/http' { interface Routes { 'GET /api/plan': typeof schema } }`.
 */
export interface Routes {}

/** Open map: `<route key> <section name>` → the `fields` of a {@link ReplySection}. Augment it beside the section. */
export interface ReplyFields {}

/**
 * Contribution point `reply_section`: a plugin's fields in the reply of a route that accepts them: `GET /api/config`,
 * `GET /api/status`, `POST /api/session/reset`. Fields outside of its schema are not sent. The route's own fields take precedence, and no two sections
 * may provide the same field.
 */
export interface ReplySection<F extends TObject = TObject> {
  readonly route: Route['key'];
  /** For messages; the plugin's name if it has one section. */
  readonly name: string;
  readonly fields: F;
  /** Its fields are a fallback, used if no other section provides them: for clients that expect a field of a plugin that is not loaded. */
  readonly standsIn?: true;
  /** Limited to 3 s; if it fails, the reply is sent without it, and the log names the plugin. */
  read(context: RouteContext): Static<F> | Promise<Static<F>>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:3001` */
  readonly url: string;
}

/**
 * Contribution point `listener`: an additional address of the server, open while the server listens and the plugin is loaded.
 * Checks are those of the first address; requests for routes above the ceiling are answered as if these did not exist.
 */
export interface Listener {
  /** The address to bind to. One that other machines can reach is rejected unless a token source is set up. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Upper limit of the rights of all callers through it, including the owner. */
  readonly ceiling: Rights;
  /** Whether a machine may connect; all when left out. Contract: never throws. @param peer its address */
  admits?(peer: string): boolean;
  opened?(address: HttpAddress): void;
  /** It cannot or may not listen; logged as well. */
  failed?(fault: Error): void;
}

export interface Http {
  /** Runs the hook `server.start`, then listens. Port 0 selects a free one. Rejects with `HTTP_ERR_PORT_IN_USE`. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<HttpAddress>;
  address(): HttpAddress | undefined;
  /** Returns the server of this home folder, in any process. A live process of that id does not prove that it responds. */
  running(): Promise<{ readonly pid: number; readonly url: string } | undefined>;
  /**
   * Serves a request without a socket, with every check except those of connections: token, Host, Origin. The reply
   * is buffered, so it is not suitable for streams. `isLocal` is false, `peer` 0.0.0.0. Rejects if the signal is aborted.
   */
  dispatch(request: Dispatch, options: { readonly principal: Principal }): Promise<DispatchReply>;
  /** Whether there is a route of that key now: `GET /` if a distribution has a page. */
  has(key: Route['key']): boolean;
  /** Returns the current route of that key or command. A default command consists of the path's words and the method: `chats_id_delete`. */
  find(command: string): Route | undefined;
  /** Stops accepting requests, runs the hook `server.stop`, closes every connection. */
  close(): Promise<void>;
  /** Ends every open stream, after a token was revoked. Clients with a valid token reconnect. */
  endStreams(): void;
  /**
   * Rechecks every open stream, and ends those whose token is no longer valid or has other rights now. Runs by itself twice a
   * minute, and when a token source is added or removed; call it to apply a change earlier.
   */
  reviewStreams(): Promise<void>;
  /** Whether the principal has the permission; without a named permission only the owner does. */
  permits(principal: Rights, permission: Permission | undefined): boolean;
  /** Returns the OpenAPI 3.1 document of the current routes. */
  openapi(): Record<string, unknown>;
}

/** The token that every request must carry. */
export interface WebToken {
  /** Returns the token; creates and saves it (mode 0600) at first use. */
  current(): Promise<string>;
  /** Replaces the token immediately and closes open streams. Rejects if the environment sets it. */
  rotate(): Promise<string>;
}

/** Contribution point `token_source`: maps tokens to principals. The web token is the first; paired devices, guests and teammates are others. */
export interface TokenSource {
  readonly name: string;
  /** A cookie that may carry its tokens, for pages. An unknown value counts as none, not as a guess. */
  readonly cookie?: string;
  /**
   * Returns the principal of a token; `undefined` for an unknown one.
   * Contract: compares in constant time. May throw its own error for more than "unknown", for example an expired token. A revoked token is unknown immediately;
   * {@link Http.endStreams} ends its open streams.
   */
  identify(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Whether it grants access deliberately, so that the server may bind to an address that others can reach. */
  isSetUp(): boolean | Promise<boolean>;
}

/** Contribution point `client_address`: the client for which a trusted proxy forwards. Wrong tokens are counted by it. */
export interface ClientAddress {
  readonly name: string;
  /** Returns the peer itself if there is no such proxy. Contract: never throws. */
  read(request: Pick<RouteContext, 'peer' | 'headers'>): string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    http: Http;
    webToken: WebToken;
  }
  interface ContributionPoints {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of routes holds routes of every schema
    route: Route<any>;
    token_source: TokenSource;
    client_address: ClientAddress;
    listener: Listener;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- sections of every schema
    reply_section: ReplySection<any>;
    web_socket: WebSocketRoute;
  }
  interface Hooks {
    /**
     * Runs once, shortly after the start, when no request is being served: load what the first message needs. Nothing waits
     * for it, and a message may come before it, so it may only prefetch.
     */
    'server.idle': Series<[]>;
  }
  interface Events {
    /** The address responds; plugins may still be loading. */
    server_listening: Record<string, never>;
    token_rotated: Record<string, never>;
  }
}
