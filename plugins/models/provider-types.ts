// Declares the types of plugin requests to the configured provider outside a conversation. Part of the contract.

/** A file that is read while it is being sent, so it is never completely in memory. Contract: the file stays unchanged until the reply. */
export interface SentFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** A field or a file of a form. */
export interface FormPart {
  readonly name: string;
  readonly value: string | (({ readonly bytes: Uint8Array } | { readonly file: SentFile }) & { readonly fileName: string; readonly mimeType: string });
}

/**
 * The body of a request outside a conversation: one document, or a form with files (multipart). `files` of a document: each file, in base64, replaces the
 * string that equals its name; that string must occur exactly once.
 */
export type ProviderBody = { readonly json: object; readonly files?: Readonly<Record<string, SentFile>> } | { readonly form: readonly FormPart[] };

/** The target that the user configured for requests of one kind: another base URL, another key, or both. */
export interface ProviderEndpoint {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

/** A complete reply of any type. */
export interface ProviderReply {
  /** Media type without parameters, in lower case; empty if the provider sends none. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A plugin's request to the configured provider that is not a conversation: an audio clip to transcribe, a text to synthesize. */
export interface ProviderRequest {
  /** Path relative to the base URL, with its leading slash: `/audio/speech`. */
  readonly path: string;
  readonly body: ProviderBody;
  /** The model that the body names, for usage records. */
  readonly model: string;
  readonly purpose: string;
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Target of the request; default: the endpoint of conversations. Ignored if only managed inference is allowed. */
  readonly endpoint?: ProviderEndpoint;
  /** Maximum size of the reply in bytes; a longer reply is a fault. Default: 32 MB. */
  readonly maxBytes?: number;
  /** Maximum cost in USD, which is reserved while a spending cap is set. Default: the highest cost of such a request so far. */
  readonly mostCost?: number;
  /** Returns the price in USD of a successful reply, if the caller knows it. A cost in the reply takes precedence; if there is neither, no cost is recorded. */
  price?(reply: ProviderReply): number | undefined;
  /** Receives the bytes of a successful reply as they arrive. After the first byte, nothing is retried. Contract: never throws. */
  onBytes?(piece: Buffer, mediaType: string): void;
}

/** One complete exchange of an adapter. */
export interface ProviderExchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Key that is masked in every returned message. */
  readonly secret?: string;
  readonly body: ProviderBody;
  readonly maxBytes: number;
  /** Milliseconds without a byte after which the exchange fails. */
  readonly idleMs: number;
  /** Receives the bytes of a successful reply, see {@link ProviderRequest.onBytes}. */
  onBytes?(piece: Buffer, mediaType: string): void;
}
