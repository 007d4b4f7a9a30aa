// What plugins send to the configured provider beside a conversation. Part of the contract.

/** A file that is read while it is sent, so that it is never in memory as a whole. Contract: it stays as it is until the answer. */
export interface SentFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** A field of a form, or a file in it. */
export interface FormPart {
  readonly name: string;
  readonly value: string | (({ readonly bytes: Uint8Array } | { readonly file: SentFile }) & { readonly fileName: string; readonly mimeType: string });
}

/**
 * What is sent beside a conversation: one document, or a form with files (multipart). `files` of a document: a text in it that is exactly
 * such a name, and stands there once, is that file in base64.
 */
export type ProviderBody = { readonly json: object; readonly files?: Readonly<Record<string, SentFile>> } | { readonly form: readonly FormPart[] };

/** Where a person has requests of one kind go: to another address, with another key, or both. */
export interface ProviderEndpoint {
  readonly baseURL?: string;
  readonly apiKey?: string;
}

/** A whole answer, whatever it is made of. */
export interface ProviderReply {
  /** Without parameters, in lower case; empty where the provider says none. */
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** A request of a plugin to the configured provider that is no conversation: a clip to write down, a text to speak. */
export interface ProviderRequest {
  /** Below the provider's address, with its leading slash: `/audio/speech`. */
  readonly path: string;
  readonly body: ProviderBody;
  /** The model that the body names; what is booked says it. */
  readonly model: string;
  readonly purpose: string;
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
  /** Left out: where the conversations go. Where only managed inference may answer, it counts for nothing. */
  readonly endpoint?: ProviderEndpoint;
  /** Of the answer; a longer one is a fault. 32 MB when left out. */
  readonly maxBytes?: number;
  /** USD that it will cost at most, where the caller can tell; what is held for it while a cap is set. Left out: what such a request cost at most so far. */
  readonly mostCost?: number;
  /** USD for a good answer, where the caller knows a price. What the answer says of its cost goes first; with neither, no cost is booked. */
  price?(reply: ProviderReply): number | undefined;
  /** Gets the bytes of a good answer as they come. Once it got any, nothing is repeated. Contract: never throws. */
  onBytes?(piece: Buffer, mediaType: string): void;
}

/** One whole exchange of an adapter. */
export interface ProviderExchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Cut out of every message that comes back. */
  readonly secret?: string;
  readonly body: ProviderBody;
  readonly maxBytes: number;
  /** After so many milliseconds without a byte it is over. */
  readonly idleMs: number;
  /** See {@link ProviderRequest.onBytes}. */
  onBytes?(piece: Buffer, mediaType: string): void;
}
