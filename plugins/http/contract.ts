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
  /** Unknown fields are refused: give objects `additionalProperties: false`. */
  readonly body?: TSchema;
  /**
   * Of the 2xx reply. Fields it lacks never leave the server, nor does one whose schema names an `x-permission` that the caller does not have; such a
   * field is optional. Left out for pages and streams.
   */
  readonly reply?: TSchema;
}

/**
 * What a body is and what the handler gets as `body`. `json`: a value that the schema checks. `form`: the fields of an HTML form, too; their
 * values are text, which becomes numbers where the schema wants these. `raw`: a `Buffer`, of any type. `stream`: a `Readable` that fails with
 * `too_large` behind the limit. A schema of the last two only names the type: `Type.Unsafe<Readable>({})`. `json-stream`: JSON that the handler
 * reads itself while it arrives, as it is too large to be in memory twice; its schema says what it is and is not checked.
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
  /** Whose token the request carried; only where `auth` is `open` there may be none. */
  readonly principal?: Principal;
  /** The very token, for a page that goes on with it. */
  readonly token?: string;
  /**
   * Whether it surely comes from the person: loopback peer and Host, no foreign origin, no token of anybody else, this user, and on
   * Linux no program that the server started or that lives in a sandbox.
   */
  readonly isLocal: boolean;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** For streams and pages: status, headers, raw reply. A JSON route returns its reply and leaves this alone. */
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Contribution point `route`. */
export interface Route<S extends RouteSchema = RouteSchema> {
  /** `GET /api/chats/:id`. Two routes with the same key are an error that names both owners. */
  readonly key: `${Method} /${string}`;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  /** What it is called where there are no paths: `send_message`. Made of the key when left out; see {@link Http.find}. */
  readonly command?: string;
  readonly tag: string;
  readonly schema: S;
  /** `token` (default); `open`: no token needed, the handler looks at `principal` and `isLocal` itself. */
  readonly auth?: 'token' | 'open';
  /** What the principal must be allowed to; whoever is not gets 403 `forbidden`. Left out, only an owner may call it. */
  readonly permission?: Permission;
  /** What the principal must be entitled to; whoever is not gets 403 `entitlement_required`. For routes that are open to whoever pays for them. */
  readonly entitlement?: Extract<keyof Entitlements, string>;
  /** It carries a secret that could be guessed (a pairing code): a refusal counts like a wrong token, and too many are a 429. */
  readonly isGuessable?: boolean;
  /** An origin that may call this route though it is foreign (the hosted site on its callback routes). */
  readonly allowsOrigin?: (origin: string) => boolean;
  /** 200 when left out. */
  readonly status?: 200 | 201 | 202;
  /** Whether the work that a reply tells of is still to be done: then the status is 202. */
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
  /** Asked for all the time: its checks are compiled while the server is idle after its start, not with the first request. */
  readonly isCompiledEarly?: boolean;
  /**
   * What it answers with instead of JSON: `text/html`. The handler returns a {@link FileReply}, or a text of that type. Of a raw route
   * it is only for the OpenAPI document.
   */
  readonly mediaType?: string;
  /** Throwing an error with `code` and `status` makes the error reply. */
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

/** Open map: `<route key> <name of the section>` → the `fields` of a {@link ReplySection}. Augment it beside the section. */
export interface ReplyFields {}

/**
 * Contribution point `reply_section`: fields of a plugin in the reply of a route that takes them: `GET /api/config`,
 * `GET /api/status`, `POST /api/session/reset`. What its schema lacks does not leave. What the route itself answers stays as it is, and no two sections
 * give the same field.
 */
export interface ReplySection<F extends TObject = TObject> {
  readonly route: Route['key'];
  /** For messages; the plugin's name where it has one section. */
  readonly name: string;
  readonly fields: F;
  /** What it gives holds only where nobody else gives it: for clients that count on a field of a plugin that is not there. */
  readonly standsIn?: true;
  /** Waited for no longer than 3 s; where it fails, the reply goes without it, and the log names the plugin. */
  read(context: RouteContext): Static<F> | Promise<Static<F>>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:3001` */
  readonly url: string;
}

/**
 * Contribution point `listener`: a further address that the server listens on, as long as it listens at all and the plugin is there.
 * The gate and the checks are those of the first one; requests for what is above the ceiling are answered as if it did not exist.
 */
export interface Listener {
  /** The address to bind to. One that other machines can reach is refused unless a token source is set up. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The most that anybody may who comes through it, the owner included. */
  readonly ceiling: Rights;
  /** Whether a machine may connect at all; any, when left out. Contract: never throws. @param peer its address */
  admits?(peer: string): boolean;
  opened?(address: HttpAddress): void;
  /** It cannot listen, or may not; the log has it, too. */
  failed?(fault: Error): void;
}

export interface Http {
  /** Runs the hook `server.start`, then listens. Port 0 takes a free one. Rejects with `HTTP_ERR_PORT_IN_USE`. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<HttpAddress>;
  address(): HttpAddress | undefined;
  /** The server of this home folder, in whichever process it runs. That a process of that number lives does not say that it answers. */
  running(): Promise<{ readonly pid: number; readonly url: string } | undefined>;
  /**
   * Has a route serve a request that comes through no socket, with every check but those of connections: token, Host, Origin. The reply
   * arrives as a whole, so it is nothing for streams. `isLocal` is false, `peer` 0.0.0.0. Rejects where the signal is aborted.
   */
  dispatch(request: Dispatch, options: { readonly principal: Principal }): Promise<DispatchReply>;
  /** Whether there is a route of that key now: `GET /` where a distribution has a page. */
  has(key: Route['key']): boolean;
  /** The route of that key or command, now. A command that nobody chose consists of the path's words and the method: `chats_id_delete`. */
  find(command: string): Route | undefined;
  /** Stops taking requests, runs the hook `server.stop`, closes every connection. */
  close(): Promise<void>;
  /** Ends every open stream: after a token was taken back. Who still has one that is in force comes back. */
  endStreams(): void;
  /**
   * Looks at each open stream again, and ends those whose token is no longer in force, or brings other rights than it did. Done by itself twice a
   * minute, and when a source of tokens comes or goes; for who knows of a change earlier.
   */
  reviewStreams(): Promise<void>;
  /** Whether the principal may do what asks for this permission; what asks for none by name is its owner's alone. */
  permits(principal: Rights, permission: Permission | undefined): boolean;
  /** The OpenAPI 3.1 document of the routes there are now. */
  openapi(): Record<string, unknown>;
}

/** The token that every request must carry. */
export interface WebToken {
  /** Made and saved (mode 0600) at first use. */
  current(): Promise<string>;
  /** A new token at once; open streams are closed. Rejects when the environment sets it. */
  rotate(): Promise<string>;
}

/** Contribution point `token_source`: who has which token. The web token is the first; paired devices, guests and teammates are others. */
export interface TokenSource {
  readonly name: string;
  /** A cookie that may carry its tokens, of pages that are no program's. One that nobody knows counts as none, not as a guess. */
  readonly cookie?: string;
  /**
   * Whose token it is; `undefined` for one that the source does not know.
   * Contract: compares in constant time. May throw an error of its own where more than "unknown" is to be said, as of one that ran out. A token that was taken back is unknown at once; {@link Http.endStreams} ends what it had open.
   */
  identify(token: string): Principal | undefined | Promise<Principal | undefined>;
  /** Whether it lets somebody in on purpose, so that the server may bind to an address that others can reach. */
  isSetUp(): boolean | Promise<boolean>;
}

/** Contribution point `client_address`: whom a proxy that is trusted asks for. Wrong tokens are counted by it. */
export interface ClientAddress {
  readonly name: string;
  /** The peer itself where no such proxy stands between. Contract: never throws. */
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
     * Once, a moment after the start, when no request is being served: load what the first message needs. Nothing waits
     * for it, and a message may come before it, so it only makes earlier what would be done anyway.
     */
    'server.idle': Series<[]>;
  }
  interface Events {
    /** Its address answers; plugins may still be loaded. */
    server_listening: Record<string, never>;
    token_rotated: Record<string, never>;
  }
}
