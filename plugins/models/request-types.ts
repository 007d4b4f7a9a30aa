// Declares the types of model requests: messages, tools, effort, and parts that a server may reject. Part of the contract.

export interface ImagePart {
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly base64: string;
}

/** Sound for models that accept it. */
export interface AudioPart {
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly base64: string;
  /** Name of the format in the wire. */
  readonly format: 'wav' | 'mp3';
  /** Left out if the file does not contain the duration. */
  readonly seconds?: number;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model wrote it; it may be invalid. */
  readonly argsText: string;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | {
      readonly role: 'user';
      readonly text: string;
      readonly images?: readonly ImagePart[];
      /** Only for a model for which {@link Models.takesAudio} is true; the text describes the sound. Wires other than chat completions leave it out. */
      readonly audio?: readonly AudioPart[];
      /** A plugin added third-party text; the text itself states that, too. */
      readonly isUntrusted?: boolean;
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** Data that the provider requires back with this reply. */
      readonly providerData?: ReturnedFields;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      /** The result contains third-party text; the text itself states that, too. */
      readonly isUntrusted?: boolean;
      readonly images?: readonly ImagePart[];
    };

/** Data that a provider returned with a reply and requires back, such as signed reasoning. Sent only to the same wire and base URL. */
export interface ReturnedFields {
  readonly wire: string;
  /** Base URL of the provider that returned the data, without a trailing slash. */
  readonly baseURL: string;
  /** JSON in a form that the adapter defines. Call ids in it are those of the conversation. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Amount of reasoning before the answer. `off`: the least that the model allows. */
export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high' | 'max';

/** A request part that a server may reject. `tool:NAME` is one tool; most others are field names of the wire. */
export type RequestPart =
  | 'tools'
  | `tool:${string}`
  | 'images'
  | 'sound'
  | 'stream_options'
  | 'tool_choice'
  | 'max_tokens'
  | 'effort'
  /** The server accepts tools only with effort `none`, which is then always sent. */
  | 'effort:none'
  /** Efforts other than low, medium and high. */
  | 'effort:plain'
  | 'reasoning'
  | 'summary'
  /** `content: null` of a message that has only calls; sent as an empty text. */
  | 'null_content'
  | 'cache_control'
  /** Earlier calls without provider data; they are sent as text. */
  | 'calls';

export interface ModelToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: object;
}

export interface ModelRequest {
  /** Left out: the configured model; for a purpose other than `chat`, the fast model. */
  readonly model?: string;
  /** The stable part comes first, so that a provider's prompt cache hits. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Sorted by name. */
  readonly tools: readonly ModelToolSpec[];
  readonly maxTokens: number;
  /** `chat` for the turn itself; `title`, `distill`, … for helper calls. Recorded in usage. */
  readonly purpose: string;
  /** The requesting plugin; left out: the agent. Recorded in usage. */
  readonly plugin?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Left out: the provider's default. */
  readonly effort?: ReasoningEffort;
  /** Parts that the server rejects; set by the models plugin. The adapter leaves them out or uses their alternative form. */
  readonly omit?: ReadonlySet<RequestPart>;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';
