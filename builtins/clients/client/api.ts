// The calls of the server as types, from the served schemas; and the error of a call that failed.
import type { ChatEvent } from 'agent-harness/transcript';
import type { paths } from './api-types.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Methods<P> = { [M in Method]: P extends { readonly [K in M]: infer Operation } ? (Operation extends object ? M : never) : never }[Method];
/** `'GET /api/chats'`; parameters of the path as in the server's declarations: `:id`. */
export type RouteKey = { [P in keyof paths]: `${Uppercase<Methods<paths[P]>>} ${Colons<P>}` }[keyof paths];
type Colons<P extends string> = P extends `${infer Head}{${infer Name}}${infer Tail}` ? Colons<`${Head}:${Name}${Tail}`> : P;
type Braces<P extends string> = P extends `${infer Head}:${infer Name}/${infer Tail}`
  ? Braces<`${Head}{${Name}}/${Tail}`>
  : P extends `${infer Head}:${infer Name}`
    ? `${Head}{${Name}}`
    : P;

type OperationOf<K extends RouteKey> = K extends `${infer M} ${infer P}`
  ? Braces<P> extends keyof paths
    ? paths[Braces<P>][Lowercase<M> & keyof paths[Braces<P>]]
    : never
  : never;
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : undefined;
type BodyOf<T> = T extends { readonly requestBody?: infer R } ? JsonOf<NonNullable<R>> : undefined;
type QueryOf<T> = T extends { readonly parameters: { readonly query?: infer Q } } ? Q : undefined;

/** What a route answers with status 200, 201 or 202. */
export type ReplyOf<K extends RouteKey> = OperationOf<K> extends { readonly responses: infer R } ? JsonOf<R[(200 | 201 | 202) & keyof R]> : never;
export type RequestBody<K extends RouteKey> = BodyOf<OperationOf<K>>;

export interface CallInput<K extends RouteKey> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryOf<OperationOf<K>>;
  readonly body?: RequestBody<K>;
  readonly signal?: AbortSignal;
}

export type ApiCall = <K extends RouteKey>(key: K, input?: CallInput<K>) => Promise<ReplyOf<K>>;

/** The server refused, or did not answer. */
export class CallError extends Error {
  /** `not_found`, `turn_in_progress`, …; `network` where nothing answered. */
  readonly code: string;
  /** 0 where nothing answered. */
  readonly status: number;
  /** What the server said about it, by code. */
  readonly details: Readonly<Record<string, unknown>>;
  constructor(message: string, code: string, status: number, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.details = details;
    this.name = 'CallError';
    this.code = code;
    this.status = status;
  }
}

/** An event of the stream; `docs/reference/events.md` has the fields of each kind. */
export type WireEvent = ChatEvent;

export type Config = ReplyOf<'GET /api/config'>;
export type ChatMeta = ReplyOf<'GET /api/chats'>['chats'][number];
export type Attachment = NonNullable<RequestBody<'POST /api/message'>['attachments']>[number];
export type Settings = ReplyOf<'GET /api/settings'>;
/** An `error` event: it belongs to no chat. */
export type Fault = ReplyOf<'GET /api/plugins'>['errors'][number];
export type PluginRow = ReplyOf<'GET /api/plugins'>['plugins'][number];
