// Conversations that were held elsewhere. Part of the contract.

/** Where a chat was held before it came here. */
export interface ChatSource {
  /** The program, in kebab-case: `codex`; of a file of this product: `file`. */
  readonly from: string;
  /** What it is called there. One comes in once. */
  readonly id: string;
}

/** What a conversation that was held elsewhere is made of, oldest first. Nothing of it is run. */
export type ImportedPart = { /** ISO 8601; what has none has the time of the part before it. */ readonly at?: string } & (
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string; readonly channel?: 'user' | 'reasoning'; readonly model?: string }
  /** `callId` is that of the other program: its result has the same. */
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly args: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly ok: boolean; readonly output: string }
);

export interface ImportChat {
  readonly source: ChatSource;
  /** The first words of the first message when left out. */
  readonly title?: string;
  /** Worked there in this folder: so does the chat, where it is still there. Else it has an empty one of its own. */
  readonly workspaceRoot?: string;
  readonly tags?: readonly string[];
  /** Read once. What it throws ends the import, and nothing is left of it. */
  readonly parts: AsyncIterable<ImportedPart> | Iterable<ImportedPart>;
}

/** A chat that came in, now or before. */
export interface ImportedChat {
  readonly chatId: string;
  /** Whether it came in now. */
  readonly isNew: boolean;
  /** It came in before and was deleted: it can be restored. */
  readonly isInTrash: boolean;
  readonly turns: number;
}
