// Declares the types of model adapters: routes, sinks, outcomes, faults, HTTP transport. Part of the contract.
import type { ListedModel } from './catalog-types.ts';
import type { ProviderExchange, ProviderReply, ProviderRequest } from './provider-types.ts';
import type { FinishReason, ModelRequest, ReturnedFields } from './request-types.ts';
import type { ModelUsage } from './usage-types.ts';

/** Receives the streamed parts of a reply. Contract: must not throw or block. `index` counts the tool calls of one reply from 0. */
export interface ModelSink {
  text(delta: string): void;
  reasoning(delta: string): void;
  toolCall(index: number, id: string, name: string): void;
  toolArgs(index: number, delta: string): void;
}

/** Kinds of model faults. `overflow`: the request exceeded the model's limit, see {@link ContextOverflow}. */
export type ModelFaultKind = 'rate_limit' | 'transient' | 'timeout' | 'auth' | 'refused' | 'budget' | 'overflow' | 'bad_reply' | 'empty';

/** The limit that a request exceeded, in tokens, as reported by the provider. */
export interface ContextOverflow {
  /** Context window in tokens, for prompt and reply together. */
  readonly window?: number;
  /** Size of the prompt in tokens. */
  readonly used?: number;
}

/** The result of one attempt. Failures are returned; an adapter rejects only when its signal is aborted. */
export type ModelOutcome = ModelEnd | ModelFault;

export interface ModelEnd {
  readonly ok: true;
  readonly finish: FinishReason;
  readonly usage?: ModelUsage;
  /**
   * Data that later requests must return to the provider with this reply, see {@link ReturnedFields.data}. The call ids in this data are those of the provider.
   */
  readonly data?: ReturnedFields['data'];
}

export interface ModelFault {
  readonly ok: false;
  readonly kind: ModelFaultKind;
  /** One sentence for users; never contains the key. */
  readonly message: string;
  /** The full error text for pattern matching: code, type, parameter and message; the key is masked. */
  readonly words?: string;
  readonly status?: number;
  /** The request URL, without user name, password and query. */
  readonly url?: string;
  /** Delay in milliseconds that the provider requested with Retry-After. */
  readonly retryAfterMs?: number;
  /** The exceeded limit, for faults of kind `overflow`. */
  readonly overflow?: ContextOverflow;
}

/** The current target of requests, resolved from the settings. */
export interface ModelRoute {
  readonly wire: 'chat-completions' | 'messages' | 'responses' | 'demo';
  readonly model: string;
  /** Base URL without a trailing slash. */
  readonly baseURL: string;
  readonly apiKey?: string;
  /** Additional headers of each request, for example for a router. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error of an invalid setting; no request is sent. The base URL is then empty. */
  readonly unusable?: Error;
}

export interface ModelAdapter {
  /**
   * Whether the wire format requires one system message, then alternating user and assistant messages, as chat templates do. Notes are then added to the
   * previous message as marked text, consecutive messages of one role are joined, and images of tool results move to a user message.
   */
  readonly alternates?: boolean;
  /** Sends a request once, without retries. The request is well-formed: each call has its result, and names and ids are valid for all providers. */
  stream(request: ModelRequest, route: ModelRoute, sink: ModelSink, signal: AbortSignal): Promise<ModelOutcome>;
  /** Sends one request that is not part of the conversation, authenticated as the wire format requires; omitted if the wire format has no such requests. */
  send?(
    request: Pick<ProviderRequest, 'path' | 'body'> & Pick<ProviderExchange, 'maxBytes' | 'idleMs' | 'onBytes'>,
    route: ModelRoute,
    signal: AbortSignal,
  ): ReturnType<ModelTransport['send']>;
  /** Lists the models of the endpoint; omitted if the wire format has no such list. */
  list?(route: ModelRoute, signal: AbortSignal): Promise<ListedModel[] | ModelFault>;
}

/** Contribution point `model_adapter`: an adapter for one wire format. */
export interface ModelAdapterEntry {
  readonly name: string;
  readonly wire: ModelRoute['wire'];
  /** Loads the code on first use. An adapter with its own network access ignores `transport`. */
  load(transport: ModelTransport): Promise<ModelAdapter>;
}

/** One request of an adapter to its provider. */
export interface ModelPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the request: an object is sent as JSON; a string or a buffer is sent unchanged. */
  readonly body: object | string | Buffer;
  /** Key that is masked in every returned message. */
  readonly secret?: string;
  /**
   * Receives each JSON document of the reply: one for each server-sent event, or a single one if `isWhole`. The marker
   * `[DONE]` arrives as `undefined`. A result other than `undefined` ends the read; `true` means that the reply is complete.
   */
  take(payload: unknown, isWhole: boolean): ModelFault | true | undefined;
  /** Returns whether the reply already has a finish reason. The transport then waits at most 2 s for the end of the stream, which some servers never send. */
  isEnding?(): boolean;
}

/** HTTP for adapters: keep-alive connections, server-sent events, size limits, classification of failures by status. */
export interface ModelTransport {
  /** Posts a request. Returns a fault, or `undefined` if the reply ended cleanly. Rejects only with the signal's reason. */
  post(request: ModelPost, signal: AbortSignal): Promise<ModelFault | undefined>;
  /** Returns the JSON document at a URL. Rejects only with the signal's reason. */
  get(request: Pick<ModelPost, 'url' | 'headers' | 'secret'>, signal: AbortSignal): Promise<{ readonly ok: true; readonly payload: unknown } | ModelFault>;
  /** Posts a document or a form and returns the bytes of the reply. Rejects only with the signal's reason. */
  send(request: ProviderExchange, signal: AbortSignal): Promise<({ readonly ok: true } & ProviderReply) | ModelFault>;
  /** Converts an error object in the middle of a reply to a fault. */
  faultOf(error: unknown, secret?: string): ModelFault;
}
