// Declares the types of annotations that plugins attach to single messages and calls of a chat.

/**
 * Contribution point `entry_mark`: an annotation for some messages and calls of a chat, displayed in conversations and in search results. When it changes for
 * an entry, call the hook `entry.marked`.
 */
export interface EntryMark {
  /** kebab-case; unique. */
  readonly name: string;
  /** Display text of a few words, for example `Removed from the conversation`. */
  readonly label: string;
  /** Returns the ids of the annotated messages and calls of a chat. Must answer from memory, because it is called each time a conversation is opened. */
  of(chatId: string): Promise<ReadonlySet<string>>;
}

/** The entries of a chat that have one annotation. */
export interface MarkedEntries {
  readonly label: string;
  readonly ids: readonly string[];
}

/** Payload of the hook `entry.marked`: an entry whose annotations changed. */
export interface MarkedEntry {
  readonly chatId: string;
  /** Id of the message or the call. */
  readonly entryId: string;
}
