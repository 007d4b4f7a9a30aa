// What is sent to a model: messages, tools, and what is known of how its server takes them. Part of the contract.

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
      readonly providerData?: ReturnedFields;
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
export interface ReturnedFields {
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
  | 'sound'
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
