// Conversations that were held elsewhere. Part of the contract.

/** Where a chat was held before it came here. */
export interface ChatSource {
  /** The program, in kebab-case: `codex`; of a file of this product: `file`. */
  readonly from: string;
  /** What it is called there. One comes in once. */
  readonly id: string;
}

/** The parts of an imported conversation, oldest first. Nothing of it is run, and its text counts as external content. */
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
  /** The folder that a person picked for this import, never one that the imported data names. Without it the chat gets an empty folder. */
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
