// The contract of model access: one request shape, one sink for the stream, adapters as contributions.
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

/** Receives notices of {@link Models.stream} in addition to the deltas. */
export interface ModelCall extends ModelSink {
  /** An attempt failed and another follows after `delayMs`; the output of the failed one is void. */
  retry(notice: { readonly attempt: number; readonly of: number; readonly reason: string; readonly delayMs: number }): void;
  /** A line for the user about the request, for example a part that its server refuses and that was left out. */
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
  /** Streams with the configured retries. Rejects with `MODELS_ERR_…` after the last failure, with the signal's reason when aborted. */
  stream(request: ModelRequest, call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
  /**
   * Returns the whole reply to a helper call, without streaming. Rejects like {@link Models.stream}, and with
   * `MODELS_ERR_TIMED_OUT` after the time limit, which includes retries.
   */
  complete(request: ModelRequest, limit: CompletionLimit): Promise<ModelReply>;
  /**
   * Sends a request outside of the conversation, with the key, retries, budget and booking of {@link Models.stream}. Rejects like it, and with
   * `MODELS_ERR_NOT_OFFERED` if the configured wire has no such requests.
   */
  request(request: ProviderRequest, signal: AbortSignal): Promise<ProviderReply>;
  /** Returns the route by the settings alone. */
  route(): ModelRoute;
  /** Returns the current route of a chat request for that model, after all taps; with an endpoint, of a request to it. */
  routeNow(model?: string, endpoint?: ProviderEndpoint): Promise<ModelRoute>;
  /** Returns when the built-in facts about models were checked, and whether the configured model has been or will be shut down within 30 days. */
  facts(): ModelNews;
  /** Whether a plugin contributes an adapter for that wire. */
  hasWire(wire: ModelRoute['wire']): boolean;
  /** Returns the context window of a model in tokens, if its provider reported it; the configured model when left out. */
  window(model?: string): Promise<number | undefined>;
  /**
   * Whether a model accepts sound in messages, by the newest list of its endpoint; the configured model when left out. Sends no request:
   * without a list the result is false. Never rejects for a fault of the network or the disk.
   */
  takesAudio(model?: string): Promise<boolean>;
  /** Sets an assumed context window of a model until the process ends: for callers that got a refusal without figures. */
  learnWindow(tokens: number, model?: string): Promise<void>;
  /** Returns the models of the configured endpoint, at most 10 minutes old. Contract: never rejects; without a list it contains the reason. */
  list(): Promise<ModelList>;
  /**
   * Tests a key against its endpoint and uses it from then on; returns its models. Rejects with `MODELS_ERR_…` if the endpoint refuses it; then nothing
   * changes.
   */
  useKey(typed: TypedKey): Promise<readonly ListedModel[]>;
  /** Finds model servers that respond on this machine now. Sends requests; never rejects. */
  localEndpoints(): Promise<readonly LocalEndpoint[]>;
  /** Returns the line for `.env` that stores a key, with `<key>` as placeholder. */
  keepLine(typed: TypedKey): string;
  /** Drops an entered key; those of the environment apply again. */
  forgetKey(): void;
  /** Lists the turns that wait before a provider is retried, of one chat or of all. */
  retryWaits(chatId?: string): RetryWait[];
  /** Retries immediately. Returns whether a turn of that chat was waiting. */
  retryNow(chatId: string): boolean;
  /** Returns cost in USD and tokens, newest last. */
  usage(filter?: UsageFilter): Promise<UsageRow[]>;
}

/** Events about the cost of a chat's requests, and about retries. */
export interface ModelEvents extends Pick<EventFields, 'usage' | 'provider_retry'> {
  /** A key was entered, or dropped. */
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
     * Decides the final route of a request; without a request it is a query, and must not wait long. A throw ends the call, or makes a
     * query fall back to the settings. The last value is the endpoint that the user set for such requests: the route already points to it.
     */
    'model.route': Waterfall<ModelRoute, [ModelRequest | ProviderRequest | undefined, ProviderEndpoint | undefined]>;
    /** An attempt failed before any output was visible. True: it is repeated immediately, on the then current route; at most twice per request. */
    'model.fault': Waterfall<boolean, [ModelFault, ModelRoute]>;
    /** Runs before each request is sent to exactly this model: an error refuses it, and the caller gets it. Not called for the demo model. */
    'model.before': Bail<[ModelRoute, Pick<ModelRequest, 'purpose'>], Error>;
  }
  interface Events extends ModelEvents {}
}
