// Talking to a language model: one request shape, one sink for what streams back, adapters as contributions.
import type { Bail, Waterfall } from 'agent-harness/kernel';
import type { EventFields } from 'agent-harness/transcript';
import type { ProviderEndpoint, ProviderExchange, ProviderReply, ProviderRequest } from './provider-types.ts';
import type { ListedModel, LocalEndpoint, ModelList, TypedKey } from './catalog-types.ts';
import type { RetryWait } from './retry-types.ts';
import type { BudgetWarning, SpendingCap } from './spending-types.ts';
import type { ModelUsage, UsageFilter, UsageRow } from './usage-types.ts';

export type { KnownProvider, ListedModel, LocalEndpoint, ModelList, TypedKey } from './catalog-types.ts';
export type { RetryWait } from './retry-types.ts';
export type { BudgetWarning, SpendingCap, SpendingState } from './spending-types.ts';
export type { ModelUsage, UsageFilter, UsageRow } from './usage-types.ts';
export type { FormPart, ProviderBody, ProviderEndpoint, ProviderExchange, ProviderReply, ProviderRequest, SentFile } from './provider-types.ts';

export interface ImagePart {
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly base64: string;
}

/** Sound that a model hears as it is, where it takes any. */
export interface AudioPart {
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly base64: string;
  /** As the wire names it. */
  readonly format: 'wav' | 'mp3';
  /** Left out where the file does not say. */
  readonly seconds?: number;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; perhaps broken. */
  readonly argsText: string;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | {
      readonly role: 'user';
      readonly text: string;
      readonly images?: readonly ImagePart[];
      /** Only for a model of which {@link Models.takesAudio} says yes; the text says what it is. Other wires than chat completions leave it out. */
      readonly audio?: readonly AudioPart[];
      /** Other people's text, which a plugin brought; the text says so, too. */
      readonly isUntrusted?: boolean;
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** What the provider of this reply needs back with it. */
      readonly providerData?: ProviderData;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      /** Other people's text is in it; the text says so, too. */
      readonly isUntrusted?: boolean;
      readonly images?: readonly ImagePart[];
    };

/** What a provider returned with a reply and needs back with it, such as signed reasoning. Sent to the same wire and base URL alone. */
export interface ProviderData {
  readonly wire: string;
  /** Of the provider that returned it, without a trailing slash. */
  readonly baseURL: string;
  /** JSON, in the shape that the adapter of the wire chose. An id of a call in it stands as the conversation has it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** How much a model reasons before it answers. `off`: as little as the model allows. */
export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high' | 'max';

/** A part of a request that a server refused by name. `tool:NAME`: one tool. The others name what the wire calls so. */
export type RequestPart =
  | 'tools'
  | `tool:${string}`
  | 'images'
  | 'audio'
  | 'stream_options'
  | 'tool_choice'
  | 'max_tokens'
  | 'effort'
  /** Where only the lowest effort is taken together with tools: it is sent, whatever was asked for. */
  | 'effort:none'
  /** Efforts beyond low, medium and high. */
  | 'effort:plain'
  | 'reasoning'
  | 'summary'
  | 'cache_control'
  /** Calls of before that lack what the provider would have returned with them: they go as text. */
  | 'calls';

export interface ModelToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: object;
}

export interface ModelRequest {
  /** Left out: the configured model; for a purpose other than `chat`, the fast one. */
  readonly model?: string;
  /** The stable part first, so that a provider's prompt cache hits. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Sorted by name. */
  readonly tools: readonly ModelToolSpec[];
  readonly maxTokens: number;
  /** `chat` for the turn itself; `title`, `distill`, … for helper calls. Counted in usage. */
  readonly purpose: string;
  /** The plugin that asks; the agent when left out. Counted in usage. */
  readonly plugin?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Left out: the provider's default. */
  readonly effort?: ReasoningEffort;
  /** What the server is known to refuse; set by the models plugin. An adapter leaves these parts out, or uses their other form. */
  readonly omit?: ReadonlySet<RequestPart>;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';

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
  /** What the provider needs back with this reply, see {@link ProviderData.data}. Ids of calls stand in it as the provider gave them. */
  readonly data?: ProviderData['data'];
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

/** What the caller of {@link Models.stream} sees besides the deltas. */
export interface ModelCall extends ModelSink {
  /** An attempt failed and another follows after `delayMs`; what the failed one streamed is void. */
  retry(notice: { readonly attempt: number; readonly of: number; readonly reason: string; readonly delayMs: number }): void;
  /** A line for the person about how the model was asked, such as a part that its server refuses and that was left out. */
  notice?(line: string): void;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly providerData?: ProviderData;
}

/** Contribution point `model_witness`: looks on at what models are asked and answer, or answers in the place of the provider. */
export interface ModelWitness {
  readonly name: string;
  /** One request of {@link Models.stream} or {@link Models.complete}. Contract: rejects as those do. @param next asks whoever comes behind, the provider last */
  attend(request: ModelRequest, call: ModelCall, signal: AbortSignal, next: Models['stream']): Promise<ModelReply>;
}

/** What ends a helper call. */
export interface CompletionLimit {
  readonly ms: number;
  readonly signals: readonly AbortSignal[];
}

export interface Models {
  /** With retries by the settings. Rejects with `MODELS_ERR_…` when it is over, with the signal's reason when aborted. */
  stream(request: ModelRequest, call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
  /**
   * The whole reply to a helper call, which nobody watches stream in. Rejects like {@link Models.stream}, and with
   * `MODELS_ERR_TIMED_OUT` when the time is over, retries included.
   */
  complete(request: ModelRequest, limit: CompletionLimit): Promise<ModelReply>;
  /**
   * A request beside the conversation, with the key, retries, budget and booking of {@link Models.stream}. Rejects like it, and with
   * `MODELS_ERR_NOT_OFFERED` where the configured wire has no such requests.
   */
  request(request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply>;
  /** By the settings alone. */
  route(): ModelRoute;
  /** Where a request of a chat for that model goes now, whoever has the last word on it; with an endpoint, a request that names it. */
  routeNow(model?: string, endpoint?: ProviderEndpoint): Promise<ModelRoute>;
  /** Whether a plugin brings an adapter for that wire. */
  hasWire(wire: ModelRoute['wire']): boolean;
  /** The tokens that a model takes in one request, as far as its provider said; the configured model when left out. */
  window(model?: string): Promise<number | undefined>;
  /**
   * Whether a model hears sound in messages, as the newest list of its endpoint says; the configured model when left out. Asks nobody:
   * where no list is known the answer is no. Never rejects for a fault of the network or the disk.
   */
  takesAudio(model?: string): Promise<boolean>;
  /** Remembers until the end of the process that a model takes no more than that: for whoever saw it refuse more without a word of how much it takes. */
  learnWindow(tokens: number, model?: string): Promise<void>;
  /** What the configured endpoint offers, at most 10 minutes old. Contract: never rejects; without a list it says why. */
  list(): Promise<ModelList>;
  /**
   * Tries a key against its endpoint and uses it from then on; answers the models behind it. Rejects with `MODELS_ERR_…` where the endpoint does not take it; then nothing changes.
   */
  useKey(typed: TypedKey): Promise<readonly ListedModel[]>;
  /** Servers of models that answer on this machine now. Asks them; never rejects. */
  localEndpoints(): Promise<readonly LocalEndpoint[]>;
  /** What to put into `.env` to keep a key, with `<key>` in its place. */
  keepLine(typed: TypedKey): string;
  /** Forgets a key that was typed; the ones of the environment count again. */
  forgetKey(): void;
  /** The turns that wait before a provider is asked again, of one chat or of all. */
  retryWaits(chatId?: string): RetryWait[];
  /** Asks again at once. Answers whether a turn of that chat waited. */
  retryNow(chatId: string): boolean;
  /** USD and tokens, newest last. */
  usage(filter?: UsageFilter): Promise<UsageRow[]>;
}

/** What the models of a chat cost, and that one is asked again. */
export interface ModelEvents extends Pick<EventFields, 'usage' | 'provider_retry'> {
  /** A key was typed, or forgotten. */
  provider_changed: object;
  budget_warning: BudgetWarning;
}

declare module 'agent-harness/kernel' {
  interface Services {
    models: Models;
  }
  interface ContributionPoints {
    model_adapter: ModelAdapterEntry;
    model_witness: ModelWitness;
    spending_cap: SpendingCap;
  }
  interface Hooks {
    /**
     * The last word on where a request goes; without one somebody only asks, and nothing may wait long. What it throws ends the call, or says to
     * whoever asks that the settings count. The last value is the endpoint that a person set for such requests: the route is already the one to it.
     */
    'model.route': Waterfall<ModelRoute, [ModelRequest | ProviderRequest | undefined, ProviderEndpoint | undefined]>;
    /** An attempt failed before anybody saw anything of it. True: it is made again at once, on the route of then; at most twice for a request. */
    'model.fault': Waterfall<boolean, [ModelFault, ModelRoute]>;
    /** Before each request goes out, to exactly this model: an error refuses it, and whoever asked gets that. Not asked of the demo. */
    'model.before': Bail<[ModelRoute, Pick<ModelRequest, 'purpose'>], Error>;
  }
  interface Events extends ModelEvents {}
}
