// Where the text of a call comes from: what was read, said and remembered in a chat, found again in what leaves it.
import type { SentPieces } from './secret-pieces.ts';

export type { SentPieces } from './secret-pieces.ts';

/**
 * `user`: typed by the owner. `workspace`: files and commands of the workspace. `secret`: a value of a file of secrets, or a key that something
 * showed. `web`: pages and searches. `service`: MCP servers, documented interfaces, and whatever else answers from elsewhere. `teammate`: another
 * person of the chat or the team. `memory`: a note that rests on text from outside. `task`: what a task said that read such text.
 */
export type TextOriginKind = 'user' | 'workspace' | 'secret' | 'web' | 'service' | 'teammate' | 'memory' | 'task';

/** Where a text stood. */
export interface TextOrigin {
  readonly kind: TextOriginKind;
  /** What leads back to it, for people: a path, an address, a tool with what it was asked, the key of a note, the id of a message. */
  readonly ref: string;
  /** The name of a secret where it has one: `DB_PASSWORD`. Never its value. */
  readonly name?: string;
  /** Somebody else wrote it. */
  readonly isOutside?: true;
  readonly turnId?: string;
  readonly callId?: string;
}

/** A part of a text that stands somewhere else, too. */
export interface OriginSpan {
  /** In UTF-16 units of the text that was asked about; all of it where it is written in another way. */
  readonly start: number;
  readonly end: number;
  readonly origin: TextOrigin;
  /** How it is written where it does not stand there as it is: `base64`, `hex in reverse order`; or where it is that a call names: `in the file a.txt`. */
  readonly through?: string;
  /** All of the text stands there, from its first letter to its last. */
  readonly isWhole?: true;
}

export interface TextPlace {
  readonly chatId: string;
  /** Absolute; its files of secrets count whether somebody read them or not. */
  readonly workspaceRoot: string;
}

export interface FindOptions {
  /** A text that is the path of a file of the workspace has the secrets of that file, too. */
  readonly namesFiles?: boolean;
  /** What earlier calls of the chat sent; left out where pieces of secrets do not matter. */
  readonly sent?: SentPieces;
}

/** What the texts of one call carry. */
export interface FoundOrigins {
  /** For each text the parts that come from elsewhere, secrets first. */
  readonly spans: readonly (readonly OriginSpan[])[];
  /** Secrets that stand in pieces in the texts and those that were sent before; not those that earlier calls had sent already. */
  readonly pieces: readonly TextOrigin[];
  /** What was sent once this call has run. */
  readonly sent: SentPieces;
  /** The limit because of which something may have been missed, as a sentence. */
  readonly limit?: string;
}

export interface TraceOptions {
  /** What was seen from this event of the journal on does not count, nor do notes that were changed since. `at`: ISO 8601. */
  readonly before?: { readonly id: number; readonly at: string };
  /** A note that does not count, by its id: the text itself. */
  readonly withoutNote?: string;
}

export interface Origins {
  /** Keeps in mind where a text of a chat comes from. Costs nothing before somebody asks; the oldest text of a long chat is forgotten. */
  note(chatId: string, text: string, origin: TextOrigin): void;
  /**
   * What the texts of one call carry. What the owner typed is the owner's own. Folds the journal of the chat at first use. Rejects where that cannot be
   * read.
   */
  find(place: TextPlace, texts: readonly string[], options?: FindOptions): Promise<FoundOrigins>;
  /**
   * For each text what it repeats of all that the chat had seen: the owner's words, files, pages, results, announcements, notes; of several that say
   * the same the newest. Parts of fewer than twenty letters and digits are nobody's. Reads the journal anew; values of secrets are {@link Origins.find}'s.
   */
  trace(place: TextPlace, texts: readonly string[], options?: TraceOptions): Promise<readonly (readonly OriginSpan[])[]>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    origins: Origins;
  }
}
