// Types of plugin requests to the configured provider outside of a conversation. Part of the contract.

/** A file read while it is sent, so that it is never in memory as a whole. Contract: it stays unchanged until the reply. */
export interface SentFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A field or a file of a form. */
export interface FormPart {
  readonly name: string;
  readonly value: string | (({ readonly bytes: Uint8Array } | { readonly file: SentFile }) & { readonly fileName: string; readonly mimeType: string });
}

/**
 * The body of a request outside of a conversation: one document, or a form with files (multipart). `files` of a document: a text in it that equals
 * such a name exactly once is replaced by that file in base64.
 */
export type ProviderBody = { readonly json: object; readonly files?: Readonly<Record<string, SentFile>> } | { readonly form: readonly FormPart[] };

/** User-configured target for requests of one kind: another address, another key, or both. */
export interface ProviderEndpoint {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

/** A complete reply of any type. */
export interface ProviderReply {
  /** Without parameters, in lower case; empty if the provider reports none. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A plugin's request to the configured provider that is not a conversation: an audio clip to transcribe, a text to synthesize. */
export interface ProviderRequest {
  /** Relative to the provider's address, with its leading slash: `/audio/speech`. */
  readonly path: string;
  readonly body: ProviderBody;
  /** The model named in the body; recorded in usage. */
  readonly model: string;
  readonly purpose: string;
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Left out: same as conversations. Ignored if only managed inference is allowed. */
  readonly endpoint?: ProviderEndpoint;
  /** Limit of the reply; a longer one is a fault. 32 MB when left out. */
  readonly maxBytes?: number;
  /** Maximum cost in USD, if the caller can tell; reserved while a cap is set. Left out: the highest cost of such a request so far. */
  readonly mostCost?: number;
  /** USD for a successful reply, if the caller knows a price. A cost in the reply takes precedence; with neither, no cost is booked. */
  price?(reply: ProviderReply): number | undefined;
  /** Receives the bytes of a successful reply as they arrive. After the first byte nothing is retried. Contract: never throws. */
  onBytes?(piece: Buffer, mediaType: string): void;
}

/** One complete exchange of an adapter. */
export interface ProviderExchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removed from every returned message. */
  readonly secret?: string;
  readonly body: ProviderBody;
  readonly maxBytes: number;
  /** Milliseconds without a byte after which it fails. */
  readonly idleMs: number;
  /** See {@link ProviderRequest.onBytes}. */
  onBytes?(piece: Buffer, mediaType: string): void;
}
