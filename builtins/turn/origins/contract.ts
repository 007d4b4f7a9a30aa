// Defines the contract of text origins: finds text in the outgoing calls of a chat that the chat has read, written or remembered.
import type { SentPieces } from './secret-pieces.ts';

export type { SentPieces } from './secret-pieces.ts';

/**
 * `user`: typed by the owner. `workspace`: files and commands of the workspace. `secret`: a value from a secrets file, or a key in any output. `web`: pages and
 * searches. `service`: MCP servers, OpenAPI connections, and other remote sources. `teammate`: another person in the chat or the team. `memory`: a note based
 * on external content. `task`: output of a task that read such content.
 */
export type TextOriginKind = 'user' | 'workspace' | 'secret' | 'web' | 'service' | 'teammate' | 'memory' | 'task';

/** The origin of a text. */
export interface TextOrigin {
  readonly kind: TextOriginKind;
  /** Reference for users: a path, an address, a tool with the subject of its call, the key of a note, or the id of a message. */
  readonly ref: string;
  /** Name of a secret, if it has one, such as `DB_PASSWORD`; never its value. */
  readonly name?: string;
  /** Set if a third party wrote the text. */
  readonly isOutside?: true;
  readonly turnId?: string;
  readonly callId?: string;
}

/** A part of a text that also occurs in a source. */
export interface OriginSpan {
  /** Position in UTF-16 code units of the given text; for an encoded part, the whole text. */
  readonly start: number;
  readonly end: number;
  readonly origin: TextOrigin;
  /** Encoding, if the part does not occur verbatim, such as `base64` or `hex in reverse order`; for a file that a call names: `in the file a.txt`. */
  readonly through?: string;
  /** Set if the whole text occurs in the source, from its first letter to its last. */
  readonly isWhole?: true;
}

export interface TextPlace {
  readonly chatId: string;
  /** Absolute path. The secrets in the workspace's secrets files are included even if the chat has not read them. */
  readonly workspaceRoot: string;
}

export interface FindOptions {
  /** Whether a text that is the path of a workspace file counts as containing the secrets of that file. */
  readonly namesFiles?: boolean;
  /** Text that earlier calls of the chat sent; omitted if secrets that are sent in pieces are irrelevant. */
  readonly sent?: SentPieces;
}

/** The origins found in the texts of one call. */
export interface FoundOrigins {
  /** For each text, its parts that have an origin, secrets first. */
  readonly spans: readonly (readonly OriginSpan[])[];
  /** Secrets that are split across these texts and the text sent before; excludes those that earlier calls had already sent. */
  readonly pieces: readonly TextOrigin[];
  /** Text that the chat has sent once this call has run. */
  readonly sent: SentPieces;
  /** Limit that may have caused missing origins, as a sentence. */
  readonly limit?: string;
}

export interface TraceOptions {
  /** Excludes text from this journal event on, and notes that were changed after it. `at`: ISO 8601. */
  readonly before?: { readonly id: number; readonly at: string };
  /** Id of a note to exclude, if the text to be traced is that note. */
  readonly withoutNote?: string;
}

export interface Origins {
  /** Records the origin of a text in a chat. Does no other work before the first search; the oldest texts of a long chat are dropped. */
  note(chatId: string, text: string, origin: TextOrigin): void;
  /**
   * Finds the origins of the texts in one call. Text that the owner typed is attributed to the owner. Reads the journal of the chat on first use. Rejects if
   * the journal cannot be read.
   */
  find(place: TextPlace, texts: readonly string[], options?: FindOptions): Promise<FoundOrigins>;
  /**
   * Returns, for each text, the parts that repeat content of the chat: the owner's words, files, pages, outputs, announcements, notes. Of several equal
   * origins, the newest is returned. Ignores parts of fewer than twenty letters and digits. Reads the journal each time; for values of secrets use {@link
   * Origins.find}.
   */
  trace(place: TextPlace, texts: readonly string[], options?: TraceOptions): Promise<readonly (readonly OriginSpan[])[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    origins: Origins;
  }
}
