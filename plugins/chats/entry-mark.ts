// What plugins say of single messages and calls, for whoever shows them.

/**
 * Contribution point `entry_mark`: something that holds for some of the messages and calls of a chat, and is to be seen where those are shown:
 * in a conversation, and among what a search finds. When that changes for one of them, call the hook `entry.marked`.
 */
export interface EntryMark {
  /** kebab-case; no two marks have the same one. */
  readonly name: string;
  /** For people, in a few words: `Taken out of the conversation`. */
  readonly label: string;
  /** Ids of the messages and calls that bear it, of the whole chat. Asked for each time a conversation is opened: answer from memory. */
  of(chatId: string): Promise<ReadonlySet<string>>;
}

/** Those of a chat that bear a mark. */
export interface MarkedEntries {
  readonly label: string;
  readonly ids: readonly string[];
}

/** Of the hook `entry.marked`: an entry that bears other marks now. */
export interface MarkedEntry {
  readonly chatId: string;
  /** Id of a message or a call. */
  readonly entryId: string;
}
