// Defines the contract of model access: requests, the sink that receives the stream, and adapters as contributions.
import type { Bail, Waterfall } from 'agent-harness/kernel';
import type { EventFields } from 'agent-harness/transcript';
import type { ModelAdapterEntry, ModelFault, ModelRoute, ModelSink } from './adapter-types.ts';
import type { ListedModel, LocalEndpoint, ModelList, ModelNews, TypedKey } from './catalog-types.ts';
import type { ProviderEndpoint, ProviderReply, ProviderRequest } from './provider-types.ts';
import type { FinishReason, ModelRequest, ModelToolCall, ReturnedFields } from './request-types.ts';
import type { RetryWait } from './retry-types.ts';
import type { BudgetWarning, SpendingCap } from './spending-types.ts';
import type { ModelUsage, UsageFilter, UsageRow } from './usage-types.ts';

export type {
  ContextOverflow,
  ModelAdapter,
  ModelAdapterEntry,
  ModelEnd,
  ModelFault,
  ModelFaultKind,
  ModelOutcome,
  ModelPost,
  ModelRoute,
  ModelSink,
  ModelTransport,
} from './adapter-types.ts';
export type { KnownProvider, ListedModel, LocalEndpoint, ModelList, ModelNews, ModelShutdown, TypedKey } from './catalog-types.ts';
export type {
  AudioPart,
  FinishReason,
  ImagePart,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelToolSpec,
  ReasoningEffort,
  RequestPart,
  ReturnedFields,
} from './request-types.ts';
export type { RetryWait } from './retry-types.ts';
export type { BudgetWarning, SpendingCap, SpendingState } from './spending-types.ts';
export type { ModelUsage, UsageFilter, UsageRow } from './usage-types.ts';
export type { FormPart, ProviderBody, ProviderEndpoint, ProviderExchange, ProviderReply, ProviderRequest, SentFile } from './provider-types.ts';

/** Receives the deltas and the notices of {@link Models.stream}. */
export interface ModelCall extends ModelSink {
  /** An attempt failed, and another follows after `delayMs`; discard the output of the failed attempt. */
  retry(notice: { readonly attempt: number; readonly of: number; readonly reason: string; readonly delayMs: number }): void;
  /** Receives a line for the user about the request, for example about a part that was omitted because the server rejects it. */
  notice?(line: string): void;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly finish: FinishReason;
  readonly usage: ModelUsage;
  readonly model: string;
  readonly providerData?: ReturnedFields;
}

/** Limits of a helper call. */
export interface CompletionLimit {
  readonly ms: number;
  readonly signals: readonly AbortSignal[];
}

export interface Models {
  /** Streams a reply, with the configured retries. Rejects with `MODELS_ERR_…` after the last failure, or with the signal's reason when aborted. */
  stream(request: ModelRequest, call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
  /**
   * Returns the whole reply to a helper call, without streaming. Rejects as {@link Models.stream} does, and with `MODELS_ERR_TIMED_OUT` after the time limit,
   * which includes retries.
   */
  complete(request: ModelRequest, limit: CompletionLimit): Promise<ModelReply>;
  /**
   * Sends a request that is not part of the conversation, with the key, retries, budget and usage records of {@link Models.stream}. Rejects with the same
   * errors, and with `MODELS_ERR_NOT_OFFERED` if the configured wire format has no such requests.
   */
  request(request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply>;
  /** Returns the route that the settings define, before any tap changes it. */
  route(): ModelRoute;
  /** Returns the current route of a chat request for that model, after all taps; with `endpoint`, the route of a request to that endpoint. */
  routeNow(model?: string, endpoint?: ProviderEndpoint): Promise<ModelRoute>;
  /** Returns the date of the last check of the built-in facts about models, and whether the configured model was or will be shut down within 30 days. */
  facts(): ModelNews;
  /** Returns whether an active plugin contributes an adapter for that wire format. */
  hasWire(wire: ModelRoute['wire']): boolean;
  /** Returns the context window of a model in tokens, if its provider reported it. @param model default: the configured model */
  window(model?: string): Promise<number | undefined>;
  /**
   * Returns whether a model accepts audio in messages, according to the newest list of its endpoint; `false` without a list. Sends no request. Never rejects
   * because of the network or the disk.
   * @param model default: the configured model
   */
  takesAudio(model?: string): Promise<boolean>;
  /** Sets an assumed context window of a model for ten minutes, for callers that received a rejection without numbers. */
  learnWindow(tokens: number, model?: string): Promise<void>;
  /** Returns the models of the configured endpoint, at most 10 minutes old. Contract: never rejects; an empty list contains the reason. */
  list(): Promise<ModelList>;
  /**
   * Tests a key with its endpoint and uses it from then on; returns its models. Rejects with `MODELS_ERR_…`, and changes nothing, if the endpoint rejects the
   * key.
   */
  useKey(typed: TypedKey): Promise<readonly ListedModel[]>;
  /** Finds the model servers that respond on this machine now. Sends requests; never rejects. */
  localEndpoints(): Promise<readonly LocalEndpoint[]>;
  /** Returns the line for `.env` that stores a key, with the placeholder `<key>`. */
  keepLine(typed: TypedKey): string;
  /** Drops an entered key; the keys of the environment apply again. */
  forgetKey(): void;
  /** Lists the turns, of one chat or of all, that wait before they retry a request. */
  retryWaits(chatId?: string): RetryWait[];
  /** Lets a waiting turn of the chat retry immediately. Returns whether a turn was waiting. */
  retryNow(chatId: string): boolean;
  /** Returns the usage records with cost in USD and tokens, newest last. */
  usage(filter?: UsageFilter): Promise<UsageRow[]>;
}

/** Events about the cost of a chat's requests and about retries. */
export interface ModelEvents extends Pick<EventFields, 'usage' | 'provider_retry'> {
  /** The user entered or removed a key. */
  provider_changed: object;
  budget_warning: BudgetWarning;
}

declare module 'agent-harness/kernel' {
  interface Services {
    models: Models;
  }
  interface ContributionPoints {
    model_adapter: ModelAdapterEntry;
    spending_cap: SpendingCap;
  }
  interface Hooks {
    /**
     * Decides the final route of a request. A call without a request is a query, which must not take long. An error ends the call; a query then uses the
     * settings. The last argument is the endpoint that the user configured for such requests, which the route already contains.
     */
    'model.route': Waterfall<ModelRoute, [ModelRequest | ProviderRequest | undefined, ProviderEndpoint | undefined]>;
    /**
     * An attempt failed before any output was visible. Returns `true` to send the request again immediately, on the route that is then current; at most twice
     * for each request.
     */
    'model.fault': Waterfall<boolean, [ModelFault, ModelRoute]>;
    /** Runs before each request to exactly this model: an error rejects the request, and the caller receives the error. Not called for the demo model. */
    'model.before': Bail<[ModelRoute, Pick<ModelRequest, 'purpose'>], Error>;
  }
  interface Events extends ModelEvents {}
}
