// Types of model adapters: routes, sinks, outcomes, faults, HTTP transport. Part of the contract.
import type { ListedModel } from './catalog-types.ts';
import type { ProviderExchange, ProviderReply, ProviderRequest } from './provider-types.ts';
import type { FinishReason, ModelRequest, ReturnedFields } from './request-types.ts';
import type { ModelUsage } from './usage-types.ts';

/** Takes what streams in. Contract: must not throw or block. Indices count the tool calls of one reply from 0. */
export interface ModelSink {
  text(delta: string): void;
  reasoning(delta: string): void;
  toolCall(index: number, id: string, name: string): void;
  toolArgs(index: number, delta: string): void;
}

/** `timeout`: the first-token timeout of a local server; not retried. */
export type ModelFaultKind = 'rate_limit' | 'transient' | 'timeout' | 'auth' | 'refused' | 'budget' | 'overflow' | 'bad_reply' | 'empty';

/** A request was longer than the model takes. Tokens, as far as the provider said. */
export interface ContextOverflow {
  /** What the model takes, prompt and reply together. */
  readonly window?: number;
  /** What the prompt came to. */
  readonly used?: number;
}

/** How one attempt ended. Failures are data; an adapter rejects only when its signal is aborted. */
export type ModelOutcome = ModelEnd | ModelFault;

export interface ModelEnd {
  readonly ok: true;
  readonly finish: FinishReason;
  readonly usage?: ModelUsage;
  /** Data that the provider requires back with this reply, see {@link ReturnedFields.data}. Call ids in it are the provider's. */
  readonly data?: ReturnedFields['data'];
}

export interface ModelFault {
  readonly ok: false;
  readonly kind: ModelFaultKind;
  /** A sentence for people; never holds the key. */
  readonly message: string;
  /** The full error text for pattern matching: code, type, parameter and message; the key is masked. */
  readonly words?: string;
  readonly status?: number;
  /** The address that was asked, without user name, password and query. */
  readonly url?: string;
  /** From Retry-After. */
  readonly retryAfterMs?: number;
  /** Of a fault of kind `overflow`. */
  readonly overflow?: ContextOverflow;
}

/** Where requests go now, worked out from the settings. */
export interface ModelRoute {
  readonly wire: 'chat-completions' | 'messages' | 'responses' | 'demo';
  readonly model: string;
  /** Without a trailing slash. */
  readonly baseURL: string;
  readonly apiKey?: string;
  /** Sent along with each request, such as what a router wants to know. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Why no request is sent: a setting of the route cannot be used. The base URL is empty then. */
  readonly unusable?: Error;
}

export interface ModelAdapter {
  /**
   * The wire requires one system message, then alternating user and assistant messages, as chat templates do. Notes become marked text of the message
   * before them, consecutive messages of one role are joined, and pictures of tool results move to a user message.
   */
  readonly alternates?: boolean;
  /** Makes one attempt, without retries. The request is well-formed: each call has its result; names and ids are legal for all providers. */
  stream(request: ModelRequest, route: ModelRoute, sink: ModelSink, signal: AbortSignal): Promise<ModelOutcome>;
  /** One attempt at a request beside the conversation, with the wire's own way to show the key; left out where the wire has no such requests. */
  send?(
    request: Pick<ProviderRequest, 'path' | 'body'> & Pick<ProviderExchange, 'maxBytes' | 'idleMs' | 'onBytes'>,
    route: ModelRoute,
    signal: AbortSignal,
  ): ReturnType<ModelTransport['send']>;
  /** What the endpoint offers; left out where the wire has no such list. */
  list?(route: ModelRoute, signal: AbortSignal): Promise<ListedModel[] | ModelFault>;
}

/** Contribution point `model_adapter`. */
export interface ModelAdapterEntry {
  readonly name: string;
  readonly wire: ModelRoute['wire'];
  /** Code on first use. An adapter that brings its own way to the network ignores `transport`. */
  load(transport: ModelTransport): Promise<ModelAdapter>;
}

/** One request of an adapter to its provider. */
export interface ModelPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. */
  readonly body: object | string;
  /** Cut out of every message that comes back. */
  readonly secret?: string;
  /**
   * Takes each JSON document of the answer: one for each server-sent event, or the only one where `isWhole`. The marker
   * `[DONE]` comes as `undefined`. An answer other than `undefined` ends the reading; `true` says that all is said.
   */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Whether the reply has its finish reason. The transport then waits at most 2 s for the end of the stream, which some servers never send. */
  isEnding?(): boolean;
}

/** HTTP for adapters: kept-alive connections, server-sent events, bounded reading, faults by status. */
export interface ModelTransport {
  /** Answers a fault, or `undefined` when the answer ended properly. Rejects only with the signal's reason. */
  post(request: ModelPost, signal: AbortSignal): Promise<ModelFault | undefined>;
  /** The JSON document at an address. Rejects only with the signal's reason. */
  get(request: Pick<ModelPost, 'url' | 'headers' | 'secret'>, signal: AbortSignal): Promise<{ readonly ok: true; readonly payload: unknown } | ModelFault>;
  /** Posts a document or a form and answers the bytes that come back. Rejects only with the signal's reason. */
  send(request: ProviderExchange, signal: AbortSignal): Promise<({ readonly ok: true } & ProviderReply) | ModelFault>;
  /** What an error object in the middle of an answer means. */
  faultOf(error: unknown, secret?: string): ModelFault;
}
