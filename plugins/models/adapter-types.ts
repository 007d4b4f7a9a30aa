// A wire to a provider: what its adapter gets, reports, and has for the network. Part of the contract.
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

/** `timeout`: asking again would only begin the same wait anew. */
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
  /** What the provider needs back with this reply, see {@link ReturnedFields.data}. Ids of calls stand in it as the provider gave them. */
  readonly data?: ReturnedFields['data'];
}

export interface ModelFault {
  readonly ok: false;
  readonly kind: ModelFaultKind;
  /** A sentence for people; never holds the key. */
  readonly message: string;
  /** All that the provider wrote: code, type, parameter and message. Without the key. */
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
   * The wire wants one system text, then user and assistant in turn, as chat templates do: notes inside the conversation become marked text of the
   * user or tool message before them, neighbours of one role are joined, and pictures of tools stand in a user message of their own.
   */
  readonly alternates?: boolean;
  /** One attempt, no retries. The conversation in it is well-formed: every call has its result, names and ids fit every provider. */
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
  /** Whether the reply has finished, so that only the end of the stream is missing; some servers never send it. It is waited for 2 s. */
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
