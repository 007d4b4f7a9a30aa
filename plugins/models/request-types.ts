// Declares the types of model requests: messages, tools, effort, and parts that a server may reject. Part of the contract.

export interface ImagePart {
  readonly mimeType: string;
  /** Content in base64, without a prefix. */
  readonly base64: string;
}

/** Audio for models that accept it. */
export interface AudioPart {
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly base64: string;
  /** Name of the format in requests. */
  readonly format: 'wav' | 'mp3';
  /** Duration in seconds; omitted if the file does not contain it. */
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
      /** Audio for a model for which {@link Models.takesAudio} is true; the text also describes it. Wire formats other than chat completions omit it. */
      readonly audio?: readonly AudioPart[];
      /** Whether a plugin added third-party text; the text itself also states this. */
      readonly isUntrusted?: boolean;
    }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ModelToolCall[];
      /** Data that must be returned to the provider with this reply. */
      readonly providerData?: ReturnedFields;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      /** Whether the result contains third-party text; the text itself also states this. */
      readonly isUntrusted?: boolean;
      readonly images?: readonly ImagePart[];
    };

/** Data that a provider sent with a reply and requires in later requests, such as signed reasoning. Sent only to the same base URL in the same wire format. */
export interface ReturnedFields {
  readonly wire: string;
  /** Base URL of the provider that returned the data, without a trailing slash. */
  readonly baseURL: string;
  /** JSON whose format the adapter defines. Its call ids are those of the conversation. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Amount of reasoning before the answer. `off`: the least that the model allows. */
export type ReasoningEffort = 'off' | 'low' | 'medium' | 'high' | 'max';

/** A request part that a server may reject. `tool:NAME` is one tool; most others are field names of the wire format. */
export type RequestPart =
  | 'tools'
  | `tool:${string}`
  | 'images'
  | 'sound'
  | 'stream_options'
  | 'tool_choice'
  | 'max_tokens'
  | 'effort'
  /** The server accepts tools only with the effort `none`, which is then always sent. */
  | 'effort:none'
  /** The server rejects efforts other than low, medium and high. */
  | 'effort:plain'
  | 'reasoning'
  | 'summary'
  /** The server rejects `content: null` for a message that has only calls; an empty string is sent instead. */
  | 'null_content'
  | 'cache_control'
  /** The server rejects earlier calls without provider data; they are sent as text. */
  | 'calls';

export interface ModelToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: object;
}

export interface ModelRequest {
  /** Model to use; default: the configured model, or the fast model for a purpose other than `chat`. */
  readonly model?: string;
  /** System prompt. Its stable part comes first, to allow hits in the provider's prompt cache. */
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  /** Tools, sorted by name. */
  readonly tools: readonly ModelToolSpec[];
  readonly maxTokens: number;
  /** Purpose of the request, for usage records: `chat` for a turn; `title`, `distill`, … for helper calls. */
  readonly purpose: string;
  /** Name of the requesting plugin, for usage records; default: the agent. */
  readonly plugin?: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Reasoning effort; default: the provider's default. */
  readonly effort?: ReasoningEffort;
  /** Parts that the server rejects; set by the models plugin. The adapter omits them or uses their alternative form. */
  readonly omit?: ReadonlySet<RequestPart>;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';
