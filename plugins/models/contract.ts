// Talking to a language model: one request shape, one sink for what streams back, adapters as contributions.
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
  readonly providerData?: ReturnedFields;
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
  /** When the built-in facts about models were checked, and whether the configured model shuts down within 30 days or did already. */
  facts(): ModelNews;
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
