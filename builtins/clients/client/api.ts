// Defines the types of calls to the server, derived from the route schemas, and the error of a failed call.
import type { ChatEvent } from 'agent-harness/transcript';
import type { Routes } from 'agent-harness/plugins/http';
import type {} from './routes.ts';
import type { CallIn, CallInputIn, ReplyIn, RequestBodyIn } from './typed-calls.ts';

/** Key of a route, such as `'GET /api/chats'`. Path parameters are written as `:id`. */
export type RouteKey = keyof Routes;
/** The reply of a route with status 200, 201 or 202. */
export type ReplyOf<K extends RouteKey> = ReplyIn<Routes, K>;
export type RequestBody<K extends RouteKey> = RequestBodyIn<Routes, K>;
export type CallInput<K extends RouteKey> = CallInputIn<Routes, K>;
export type ApiCall = CallIn<Routes>;

/** Error of a call that the server refused or did not answer. */
export class CallError extends Error {
  /** Error code: `not_found`, `turn_in_progress`, and so on; `network` if there was no response. */
  readonly code: string;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Details from the server's error. */
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
/** An `error` event outside any chat. */
export type Fault = ReplyOf<'GET /api/plugins'>['errors'][number];
export type PluginRow = ReplyOf<'GET /api/plugins'>['plugins'][number];
